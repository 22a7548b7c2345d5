// SPDX-License-Identifier: Apache-2.0

/// The textual form of argument values. Different values have different texts.
enum ArgumentText {
  /// The corresponding constant is `AT_FDCWD`, as a 32-bit argument.
  static let currentDirectory: (name: String, value: UInt64) = ("AT_FDCWD", 0xFFFF_FF9C)
  /// The null address.
  static let null = "NULL"
  /// The file types. In a mode, they are combined with the permissions in octal digits.
  static var fileTypes: ConstantFamily? { ConstantFamily.named("FileType") }

  /// Returns the text of a value of some kind.
  static func text(_ value: UInt64, _ kind: CallParameter.Kind?, on architecture: CallArchitecture) -> String
  {
    switch kind {
    case .descriptor: value == currentDirectory.value ? currentDirectory.name : NumberText.plain(value)
    case .path, .pointer: value == 0 ? null : NumberText.hexadecimal(value)
    case .size, .number, .process, nil: NumberText.plain(value)
    case .mode: mode(value)
    case .flags(let family), .choice(let family):
      family.text(for: value, on: architecture) ?? NumberText.plain(value)
    }
  }

  /// Returns the text of a mode, for example `0644` or `S_IFIFO|0600`.
  private static func mode(_ value: UInt64) -> String {
    guard value <= 0xFFFF else { return NumberText.hexadecimal(value) }
    let type = value & 0xF000
    let known = fileTypes?.constants.first { type != 0 && $0.value(on: .native) == type }
    guard let known else { return NumberText.octal(value) }
    return known.name + (value == type ? "" : "|" + NumberText.octal(value & 0xFFF))
  }
}
