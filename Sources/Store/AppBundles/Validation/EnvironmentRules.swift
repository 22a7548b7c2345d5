// SPDX-License-Identifier: Apache-2.0

/// Which variables an extension may ask for.
package enum EnvironmentRules {
  /// The variables that the host sets itself.
  package static let reservedNames: Set<String> = ["PATH", "HOME", "TMPDIR", "GLIBC_TUNABLES"]
  /// The beginnings of the names that the host keeps for itself.
  ///
  /// The dynamic linker's (`LD_`) would let a manifest replace what an audited program is made of.
  package static let reservedPrefixes = ["DARKROOM_", "LISTEN_", "LD_", "XDG_", "SWIFT_"]

  /// What is wrong with a name, or nil.
  package static func fault(ofName name: String) -> ManifestFault? {
    guard let first = name.utf8.first, name.utf8.count <= 255 else { return .badVariable }
    guard name.utf8.allSatisfy(isNameByte), !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return .badVariable
    }
    let isReserved = reservedNames.contains(name) || reservedPrefixes.contains { name.hasPrefix($0) }
    return isReserved ? .reservedVariable : nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
