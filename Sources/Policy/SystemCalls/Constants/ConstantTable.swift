// SPDX-License-Identifier: Apache-2.0

internal import CSystemCalls

/// The constants of all families by name. Documents, invariants, imports and explanations use this table.
package enum ConstantTable {
  /// Returns the value of a constant, or `nil` if it does not exist or is unknown on the architecture.
  ///
  /// A negative `int` of C has 64 bits here; a filter compares the lower half.
  package static func value(of name: String, on architecture: CallArchitecture = .native) -> UInt64? {
    // The lines of families begin with a punctuation character.
    guard let first = name.utf8.first, first == UInt8(ascii: "_") || first >= UInt8(ascii: "A") else {
      return nil
    }
    for file in [system_call_constants(), system_call_ioctls()] {
      guard let words = SortedLines(file).words(after: name) else { continue }
      let text = words.dropFirst(2).last { $0.hasPrefix("\(architecture.rawValue)=") }
      let value = text?.dropFirst(architecture.rawValue.utf8.count + 1) ?? words.dropFirst().first?[...]
      guard value?.hasPrefix("0x") ?? false else { return nil }
      return isKnown(in: words[0], on: architecture)
        ? value.flatMap { UInt64($0.dropFirst(2), radix: 16) } : nil
    }
    return nil
  }

  /// Returns the value of a constant for 32-bit comparisons, or `nil` if the value needs more bits.
  package static func narrowValue(of name: String) -> UInt32? {
    value(of: name).flatMap { value in
      // A negative `int` is sign-extended.
      UInt32(exactly: value) ?? (value >> 31 == 0x1_FFFF_FFFF ? UInt32(truncatingIfNeeded: value) : nil)
    }
  }

  /// The names of all constants.
  package static var names: Set<String> {
    Set(ConstantFamily.all.lazy.flatMap(\.constants).map(\.name))
  }

  /// Whether the values of at least one family of an entry are known on an architecture.
  private static func isKnown(in families: String, on architecture: CallArchitecture) -> Bool {
    // All values are known on the native architectures, so that a launch does not read the families.
    if architecture == .x86 || architecture == .arm64 { return true }
    return families.split(separator: ",").contains { family in
      let name = family.hasSuffix("~") ? family.dropLast() : family
      return ConstantFamily.named(String(name))?.isKnown(on: architecture) ?? false
    }
  }
}
