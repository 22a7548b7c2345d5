// SPDX-License-Identifier: Apache-2.0

/// The versions of the protocol, and their negotiation.
package enum ProtocolVersion {
  /// The first version.
  package static let one = 1
  /// The versions that this code supports.
  package static let supported = [one]

  /// Returns the newest version that both sides support.
  package static func negotiate(offered: [Int], supported: [Int] = supported) throws(VersionMismatch) -> Int {
    guard let version = offered.filter(supported.contains).max() else {
      throw VersionMismatch(offered: offered, supported: supported)
    }
    return version
  }
}

/// The error that the two sides have no protocol version in common.
package struct VersionMismatch: Error, Equatable, Sendable, CustomStringConvertible {
  /// The versions that the host supports.
  package var offered: [Int]
  /// The versions that the extension supports; empty if they are unknown.
  package var supported: [Int]

  /// Creates an error.
  package init(offered: [Int], supported: [Int]) {
    self.offered = offered
    self.supported = supported
  }

  /// A sentence with both sides' versions and the fix.
  package var description: String {
    let fix =
      if let newest = supported.max(), newest > (offered.max() ?? 0) {
        "use a newer darkroom, or build the extension for a version that this darkroom supports"
      } else {
        "rebuild the extension for a version that the host supports"
      }
    let host = offered.isEmpty ? "reported no protocol version" : "supports protocol \(Self.list(offered))"
    return "the host \(host), but the extension supports \(Self.list(supported)); \(fix)"
  }

  private static func list(_ versions: [Int]) -> String {
    let numbers = versions.sorted().map(String.init).joined(separator: ", ")
    return versions.count == 1 ? "version \(numbers)" : "versions \(numbers)"
  }
}
