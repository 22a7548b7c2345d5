// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// The names of an argument's values in the kernel's headers.
struct ConstantFamily: Sendable {
  /// The mask of the field that contains a single value; zero if there is no field.
  private(set) var fieldMask: UInt32 = 0
  /// The values of the field.
  private(set) var field: [(name: String, value: UInt32)] = []
  /// The flags. Flags with several bits precede the flags that they include.
  private(set) var flags: [(name: String, value: UInt32)] = []

  /// The families by name.
  static let all: [String: ConstantFamily] = Dictionary(
    uniqueKeysWithValues: text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let name = words.first else { return nil }
      let parts = name.split(separator: "@")
      // Some flags have different values on other architectures, in lines with the name of the architecture.
      guard parts.count == 1 || parts[1] == MachineArchitecture.native.rawValue else { return nil }
      return (String(parts[0]), ConstantFamily(Array(words.dropFirst())))
    }
  )

  /// Creates a family from a line: `&MASK` and the values of the field, then `|` and the flags.
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

  /// Returns the names of a value. Parts without a name are hexadecimal, and small numbers are decimal.
  func text(_ value: UInt32) -> String {
    if value & ~fieldMask == 0, fieldMask != 0 { return fieldText(value) }
    var parts = fieldMask == 0 ? [] : field.filter { $0.value == value & fieldMask }.map(\.name)
    if parts.isEmpty, value & fieldMask != 0 { parts.append(Self.plain(value & fieldMask)) }
    return (parts + flagNames(value & ~fieldMask)).joined(separator: "|")
  }

  /// Returns the names of flag bits, without those of the field.
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
