// SPDX-License-Identifier: Apache-2.0

/// The rules for environment variables that an extension may set.
package enum EnvironmentRules {
  /// The names that only the host sets.
  package static let reservedNames: Set<String> = ["PATH", "HOME", "TMPDIR", "GLIBC_TUNABLES"]
  /// The name prefixes that are reserved for the host.
  ///
  /// Variables of the dynamic linker (`LD_`) could replace code of an audited program.
  package static let reservedPrefixes = ["DARKROOM_", "LISTEN_", "LD_", "XDG_", "SWIFT_"]

  /// Returns the problem of a name, or `nil` if the name is valid.
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
