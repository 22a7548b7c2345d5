// SPDX-License-Identifier: Apache-2.0

/// The versions of the protocol, and their negotiation.
package enum ProtocolVersion {
  /// The first version.
  package static let one = 1
  /// The versions that this code supports.
  package static let spoken = [one]

  /// Returns the newest version that both sides support.
  package static func negotiate(offered: [Int], spoken: [Int] = spoken) throws(VersionMismatch) -> Int {
    guard let version = offered.filter(spoken.contains).max() else {
      throw VersionMismatch(offered: offered, spoken: spoken)
    }
    return version
  }
}

/// The error that the two sides have no protocol version in common.
package struct VersionMismatch: Error, Equatable, Sendable, CustomStringConvertible {
  /// The versions that the host supports.
  package var offered: [Int]
  /// The versions that the extension supports; empty if they are unknown.
  package var spoken: [Int]

  /// Creates an error.
  package init(offered: [Int], spoken: [Int]) {
    self.offered = offered
    self.spoken = spoken
  }

  /// A sentence with both sides' versions and the fix.
  package var description: String {
    let mend =
      if let newest = spoken.max(), newest > (offered.max() ?? 0) {
        "use a newer darkroom, or build the extension for a version that this one speaks"
      } else {
        "build the extension anew for a version that the host speaks"
      }
    return
      "the host speaks protocol \(Self.list(offered)), the extension \(Self.list(spoken)): none in common; \(mend)"
  }

  private static func list(_ versions: [Int]) -> String {
    switch versions.count {
    case 0: "no version that it named"
    case 1: "version \(versions[0])"
    default: "versions \(versions.sorted().map(String.init).joined(separator: ", "))"
    }
  }
}
