// SPDX-License-Identifier: Apache-2.0

/// A kernel version, reduced to the two numbers that determine the available system calls.
package struct KernelVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The first number of the version.
  package var major: Int
  /// The second number of the version.
  package var minor: Int

  /// Creates a version from text such as `6.12`, or returns `nil` if the text is not exactly that.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.count <= 4 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    guard parts.count == 2, numbers.count == 2 else { return nil }
    (major, minor) = (numbers[0], numbers[1])
  }

  /// Creates a version from a release such as `6.1.0-18-amd64` (uname(2)), or returns `nil` if the release
  /// does not begin with two numbers.
  package init?(release: String) {
    let parts = release.split(separator: ".", omittingEmptySubsequences: false).prefix(2)
    let numbers = parts.map { String($0.prefix { $0.isASCII && $0.isNumber }) }
    self.init(numbers.joined(separator: "."))
  }

  /// Whether one version is older than another.
  package static func < (a: KernelVersion, b: KernelVersion) -> Bool {
    (a.major, a.minor) < (b.major, b.minor)
  }

  /// The version as text, for example `6.12`.
  package var description: String { "\(major).\(minor)" }
}
