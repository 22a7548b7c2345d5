// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The names that assets have in the library's directory.
enum AssetName {
  /// The longest name in bytes, so that a number still fits into the 255 that file systems allow.
  private static let longest = 200
  /// The longest ending that is kept whole when a name is cut.
  private static let longestEnding = 12

  /// A title that can be the name of a file and of which nothing can reach a terminal or turn the text around it: an
  /// extension chooses it. `fallback` is the name of the file, whose ending a title without one gets.
  static func title(_ wanted: String?, fallback: String) -> String {
    let source = cleaned(fallback)
    guard let wanted, case let title = cleaned(wanted), !title.isEmpty else {
      return shortened(source.isEmpty ? "Capture" : source)
    }
    let (_, ending) = split(source)
    return shortened(split(title).ending.isEmpty ? title + ending : title)
  }

  /// The path of an asset below the library's directory: `2026/11/title`, and from the second on `2026/11/title 2`.
  static func path(_ title: String, createdAt: Int64, number: Int) -> String {
    let date = WallClock.text(milliseconds: createdAt)
    let (stem, ending) = split(title)
    let name = number == 1 ? title : "\(stem) \(number)\(ending)"
    return "\(date.prefix(4))/\(date.dropFirst(5).prefix(2))/\(name)"
  }

  /// A text without what the name of a file may not hold; dots at the beginning would hide the file.
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

  /// A name in two parts, the second of which is empty or begins with the last dot.
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

  /// A name that is not too long; the ending stays, and no character is cut in two.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    let (stem, ending) = split(name)
    var short = ""
    for character in stem {
      if short.utf8.count + "\(character)".utf8.count + ending.utf8.count > longest { break }
      short.append(character)
    }
    // One character may be longer than any name.
    return (short.isEmpty ? "Capture" : short) + ending
  }
}
