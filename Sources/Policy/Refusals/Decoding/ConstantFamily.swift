// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The names that the kernel's headers give to the values of one argument.
struct ConstantFamily: Sendable {
  /// The bits of the field, of which one value is named; zero if there is none.
  private(set) var fieldMask: UInt32 = 0
  /// The values of the field.
  private(set) var field: [(name: String, value: UInt32)] = []
  /// The flags; those of several bits stand before those that they contain.
  private(set) var flags: [(name: String, value: UInt32)] = []

  /// The families by name.
  static let all: [String: ConstantFamily] = Dictionary(
    uniqueKeysWithValues: text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let name = words.first else { return nil }
      let parts = name.split(separator: "@")
      // Some flags have other values on other architectures; a line with an architecture holds for that alone.
      guard parts.count == 1 || parts[1] == MachineArchitecture.native.rawValue else { return nil }
      return (String(parts[0]), ConstantFamily(Array(words.dropFirst())))
    }
  )

  /// Reads a line: `&MASK` and the values of the field, then `|` and the flags.
  private init(_ words: [String]) {
    var isFlag = false
    for word in words {
      if word == "|" {
        isFlag = true
      } else if word.hasPrefix("&") {
        fieldMask = Self.number(word.dropFirst())
      } else if let split = word.firstIndex(of: "=") {
        let constant = (String(word[..<split]), Self.number(word[word.index(after: split)...]))
        if isFlag { flags.append(constant) } else { field.append(constant) }
      }
    }
  }

  private static func number(_ text: Substring) -> UInt32 {
    text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) ?? 0 : UInt32(text) ?? 0
  }

  /// A value in names; what has none is hexadecimal, small numbers are decimal.
  func text(_ value: UInt32) -> String {
    if value & ~fieldMask == 0, fieldMask != 0 { return fieldText(value) }
    var parts = fieldMask == 0 ? [] : field.filter { $0.value == value & fieldMask }.map(\.name)
    if parts.isEmpty, value & fieldMask != 0 { parts.append(Self.plain(value & fieldMask)) }
    return (parts + flagNames(value & ~fieldMask)).joined(separator: "|")
  }

  /// Bits in names, without those of the field: a mask.
  func maskText(_ mask: UInt32) -> String {
    mask == 0 ? "0" : flagNames(mask).joined(separator: "|")
  }

  private func fieldText(_ value: UInt32) -> String {
    field.first { $0.value == value }?.name ?? Self.plain(value)
  }

  private func flagNames(_ value: UInt32) -> [String] {
    var rest = value
    var names: [String] = []
    for flag in flags where flag.value != 0 && rest & flag.value == flag.value {
      names.append(flag.name)
      rest &= ~flag.value
    }
    if rest != 0 { names.append("0x" + String(rest, radix: 16)) }
    return names.isEmpty ? ["0"] : names
  }

  private static func plain(_ value: UInt32) -> String {
    value < 4096 ? "\(value)" : "0x" + String(value, radix: 16)
  }
}
