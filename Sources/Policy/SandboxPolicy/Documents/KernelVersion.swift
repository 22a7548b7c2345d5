// SPDX-License-Identifier: Apache-2.0

/// The version of a kernel, as far as it decides which calls there are: its first two numbers.
package struct KernelVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The first number.
  package var major: Int
  /// The second number.
  package var minor: Int

  /// Reads a version such as `6.12`; nil if the text is anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.count <= 4 && part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
    }
    guard parts.count == 2, numbers.count == 2 else { return nil }
    (major, minor) = (numbers[0], numbers[1])
  }

  /// Reads the first two numbers of a release such as `6.1.0-18-amd64`; nil if it does not begin with two.
  package init?(release: String) {
    let parts = release.split(separator: ".", omittingEmptySubsequences: false).prefix(2)
    let numbers = parts.map { String($0.prefix { $0.isASCII && $0.isNumber }) }
    self.init(numbers.joined(separator: "."))
  }

  /// Orders by age.
  package static func < (a: KernelVersion, b: KernelVersion) -> Bool {
    (a.major, a.minor) < (b.major, b.minor)
  }

  /// `6.12`.
  package var description: String { "\(major).\(minor)" }
}
