// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A kernel release (uname(2)).
package struct KernelRelease: Sendable, CustomStringConvertible {
  /// The release, for example `6.1.0-18-amd64`.
  package let description: String
  /// The machine, for example `x86_64`.
  package let machine: String

  /// The release of the running kernel.
  package static var running: KernelRelease {
    var names = utsname()
    uname(&names)
    func text<Field>(_ field: Field) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return KernelRelease(description: text(names.release), machine: text(names.machine))
  }

  /// Returns whether this release is at least a version. A release that does not begin with two numbers is
  /// not.
  package func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
    let numbers = description.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return false }
    return (numbers[0], numbers[1]) >= (major, minor)
  }
}

/// The Landlock version of the running kernel.
package enum LandlockVersion {
  /// Returns the ABI version (landlock_create_ruleset(2) with `LANDLOCK_CREATE_RULESET_VERSION`). Throws if
  /// Landlock is disabled or absent.
  package static func abi() throws(SystemCallError) -> Int {
    Int(try check("landlock_create_ruleset") { darkroom_landlock_abi() })
  }
}
