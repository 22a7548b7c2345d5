// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The file names of assets in the library.
enum AssetName {
  /// The maximum length in bytes, which leaves space for a number within the 255 bytes that file systems
  /// permit.
  private static let longest = 200
  /// The maximum length of a file extension that is preserved when a name is shortened.
  private static let longestEnding = 12

  /// Returns a title that is a valid file name without terminal control or text direction characters, because
  /// an extension chooses it. A title without a file extension gets that of `fallback`, the original file
  /// name.
  static func title(_ wanted: String?, fallback: String) -> String {
    let source = cleaned(fallback)
    guard let wanted, case let title = cleaned(wanted), !title.isEmpty else {
      return shortened(source.isEmpty ? "Capture" : source)
    }
    let (_, ending) = split(source)
    return shortened(split(title).ending.isEmpty ? title + ending : title)
  }

  /// Returns the path of an asset relative to the library: `2026/11/title`, or `2026/11/title 2` for the
  /// second asset with the title.
  static func path(_ title: String, createdAt: Int64, number: Int) -> String {
    let date = WallClock.text(milliseconds: createdAt)
    let (stem, ending) = split(title)
    let name = number == 1 ? title : "\(stem) \(number)\(ending)"
    return "\(date.prefix(4))/\(date.dropFirst(5).prefix(2))/\(name)"
  }

  /// Returns a text without characters that a file name must not contain, or that would hide the file at the
  /// beginning.
  private static func cleaned(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(4 * longest) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        result.append(" ")
      default: result.append(scalar == "/" ? "-" : scalar)
      }
    }
    let words = String(result).split(separator: " ").joined(separator: " ")
    return String(words.drop { $0 == "." || $0 == "-" || $0 == " " })
  }

  /// Splits a name before its file extension, which includes the dot and may be empty.
  private static func split(_ name: String) -> (stem: String, ending: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      case let ending = name[dot...], (2...longestEnding).contains(ending.utf8.count),
      ending.dropFirst().utf8.allSatisfy(isAlphanumeric)
    else { return (name, "") }
    return (String(name[..<dot]), String(ending))
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Returns a name within the maximum length. The file extension is preserved, and no character is split.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    let (stem, ending) = split(name)
    var short = ""
    for character in stem {
      if short.utf8.count + "\(character)".utf8.count + ending.utf8.count > longest { break }
      short.append(character)
    }
    // A single character can be longer than the maximum length.
    return (short.isEmpty ? "Capture" : short) + ending
  }
}
