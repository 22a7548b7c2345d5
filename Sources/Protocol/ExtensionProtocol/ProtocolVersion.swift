// SPDX-License-Identifier: Apache-2.0

/// The versions of the protocol, and how the two sides agree on one.
package enum ProtocolVersion {
  /// The only version so far.
  package static let one = 1
  /// Every version that this code speaks.
  package static let spoken = [one]

  /// The newest version that both sides speak.
  package static func negotiate(offered: [Int], spoken: [Int] = spoken) throws(VersionMismatch) -> Int {
    guard let version = offered.filter(spoken.contains).max() else {
      throw VersionMismatch(offered: offered, spoken: spoken)
    }
    return version
  }
}

/// The two sides have no version of the protocol in common.
package struct VersionMismatch: Error, Equatable, Sendable, CustomStringConvertible {
  /// What the host speaks.
  package var offered: [Int]
  /// What the extension speaks; empty if it did not say.
  package var spoken: [Int]

  /// Describes a mismatch.
  package init(offered: [Int], spoken: [Int]) {
    self.offered = offered
    self.spoken = spoken
  }

  /// A sentence that names both sides' versions and the mend.
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
