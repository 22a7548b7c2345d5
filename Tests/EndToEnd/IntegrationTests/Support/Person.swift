// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// Somebody who uses Darkroom.
enum Person: String, CaseIterable, CustomTestStringConvertible {
  /// The administrator.
  case root
  /// Somebody without any right.
  case ordinary

  /// The user and group that the ordinary person is when the tests run as root.
  static let ordinaryUser: UInt32 = 54_321

  /// Everybody that these tests can be.
  static let available: [Person] = {
    if CurrentProcess.effectiveUserID == 0 { return allCases }
    print(
      "SKIP: half of the integration tests: only root can also try what root has; run the tests as root, too"
    )
    return [.ordinary]
  }()

  /// Whether the tests can be root.
  static var hasRoot: Bool { available.contains(.root) }

  /// The person's name in a test's title.
  var testDescription: String { rawValue }

  /// The words that make a command this person's, in front of it.
  var becoming: [String] {
    guard self == .ordinary, Self.hasRoot else { return [] }
    let id = "\(Self.ordinaryUser)"
    return ["/usr/bin/setpriv", "--reuid=\(id)", "--regid=\(id)", "--clear-groups", "--"]
  }
}
