// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// The characters of a file name, and those that content of a form cannot contain.
///
/// A forbidden character is replaced with its bytes, each as `%NN`. In a name with replacements, percent
/// signs are replaced as well, so that distinct names stay distinct.
struct NameSpelling {
  /// A character, or a byte that is not part of a valid character.
  private struct Character {
    let bytes: ArraySlice<UInt8>
    let scalar: Unicode.Scalar?
    let appearance: CharacterAppearance
    /// The reason for which the character is forbidden, or `nil` if it is allowed.
    var fault: QuarantineReason?
  }

  /// The maximum length of a name in bytes (`NAME_MAX`).
  private static let longest = 255

  private let name: [UInt8]
  private let form: ContentRule.Form
  private var characters: [Character] = []

  /// Creates the spelling of a name.
  ///
  /// If the name `isSignificant` for the meaning of its directory, its first character is forbidden.
  init(_ name: [UInt8], _ form: ContentRule.Form, isSignificant: Bool = false) {
    self.name = name
    self.form = form
    characters = Self.split(name)
    markUndisplayable()
    guard form == .portable else { return }
    markUnportable()
    markEnds()
    markReserved()
    if isSignificant { mark(0, .nameNotPortable) }
  }

  /// The most serious reason for which the name is forbidden, or `nil` if it is allowed.
  var fault: QuarantineReason? {
    let faults = Set(characters.lazy.compactMap(\.fault))
    let bySeverity: [QuarantineReason] = [
      .nameNotUTF8, .nameWithControlCharacters, .nameMisleading, .nameNotPortable,
    ]
    return bySeverity.first { faults.contains($0) }
  }

  /// Returns the reason for which a name is forbidden, or `nil` if it is allowed.
  static func fault(_ name: [UInt8], _ form: ContentRule.Form) -> QuarantineReason? {
    isCertainlyAllowed(name, form) ? nil : NameSpelling(name, form).fault
  }

  /// Whether a name is certainly allowed. This fast path decides nearly every name without splitting it into
  /// characters.
  private static func isCertainlyAllowed(_ name: [UInt8], _ form: ContentRule.Form) -> Bool {
    let dot = UInt8(ascii: "."), space = UInt8(ascii: " ")
    if form == .asWritten { return isPrintableASCII(name) && name.contains { $0 != dot && $0 != space } }
    guard let first = name.first, let last = name.last, name.count <= longest, last != dot, last != space,
      first != dot, first != space, !isForbiddenFirst(first)
    else { return false }
    var isASCII = true
    for byte in name {
      if byte < 0x20 || byte == 0x7F || byte < 0x80 && isUnportable(byte) { return false }
      isASCII = isASCII && byte < 0x80
    }
    return (isASCII || isPlainText(name)) && !ReservedName.mayContain(name)
  }

  /// Whether all characters of a name look like themselves, and none can be part of a reserved name.
  private static func isPlainText(_ name: [UInt8]) -> Bool {
    String(validating: name, as: UTF8.self)?.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        || CharacterAppearance(scalar) == .plain && !confusables.contains(scalar)
          && !NameKey.foldedToASCII.contains(scalar)
    } ?? false
  }

  /// Whether all bytes are printable ASCII characters, including spaces.
  static func isPrintableASCII(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
}

// MARK: - The characters that cannot stay

extension NameSpelling {
  /// Whether portable names cannot contain an ASCII character.
  ///
  /// Windows forbids it, it is a wildcard, or it ends or expands a quoted string in a shell.
  private static func isUnportable(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "\\", "\"", "'", "`", "$", "*", "?", "[", "]", "<", ">", "|", ":": true
    default: false
    }
  }

  /// Whether portable names cannot start with an ASCII character.
  ///
  /// Programs interpret such an argument as options, as a file with further arguments, or as a home
  /// directory.
  private static func isForbiddenFirst(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "-", "+", "@", "~": true
    default: false
    }
  }

  /// The characters that compatibility normalization or a code page maps to full stops or a backslash, or
  /// that look like a backslash.
  ///
  /// The Greek varia is included, because canonical normalization maps it to a grave accent.
  private static let confusables = Set(
    "\u{2024}\u{2025}\u{FE30}\u{FE52}\u{FF0E}\u{FF3C}\u{FE68}\u{2216}\u{29F5}\u{29F9}\u{1FEF}".unicodeScalars
  )

  private mutating func mark(_ index: Int, _ fault: QuarantineReason) {
    if characters[index].fault == nil { characters[index].fault = fault }
  }

  /// Marks the characters that a record or terminal cannot display.
  private mutating func markUndisplayable() {
    let isOnlyDots = characters.allSatisfy { $0.scalar != nil && $0.appearance != .plain }
    for index in characters.indices {
      switch characters[index].appearance {
      case _ where characters[index].scalar == nil: mark(index, .nameNotUTF8)
      case .control: mark(index, .nameWithControlCharacters)
      case .slash: mark(index, .nameMisleading)
      case .invisible where !isJoining(index): mark(index, .nameMisleading)
      case _ where isOnlyDots: mark(index, .nameMisleading)
      case .plain, .blank, .dot, .invisible: break
      }
    }
  }

  private mutating func markUnportable() {
    for index in characters.indices {
      guard let scalar = characters[index].scalar else { continue }
      let cannotStay =
        UInt8(exactly: scalar.value).map(Self.isUnportable) ?? Self.confusables.contains(scalar)
      if cannotStay { mark(index, .nameNotPortable) }
    }
  }

  /// Marks characters at both ends of a name.
  ///
  /// These are spaces, two or more leading full stops, trailing full stops (which Windows removes), and
  /// forbidden first characters.
  private mutating func markEnds() {
    if let first = name.first, Self.isForbiddenFirst(first) { mark(0, .nameNotPortable) }
    let begin = characters.prefix { $0.appearance == .blank }.count
    for index in 0..<begin { mark(index, .nameNotPortable) }
    let dots = characters[begin...].prefix { $0.scalar == "." }
    if dots.count > 1 { for index in dots.indices { mark(index, .nameNotPortable) } }
    for index in characters.indices.reversed() {
      guard characters[index].appearance == .blank || characters[index].scalar == "." else { break }
      mark(index, .nameNotPortable)
    }
  }

  /// Marks the first character of a reserved name, and the full stop of a reserved extension.
  private mutating func markReserved() {
    let folded = NameKey.fold(String(decoding: name, as: UTF8.self))
    if ReservedName.contains(folded) { mark(0, .nameNotPortable) }
    guard let dot = characters.lastIndex(where: { $0.scalar == "." }) else { return }
    let ending = characters[(dot + 1)...].flatMap(\.bytes)
    if ReservedName.containsEnding(NameKey.fold(String(decoding: ending, as: UTF8.self))) {
      mark(dot, .nameNotPortable)
    }
  }
}

// MARK: - Invisible characters that have an effect

extension NameSpelling {
  /// Whether an invisible character affects how its neighbors look; otherwise it could only hide.
  ///
  /// Such characters are joiners in Arabic and Indic scripts and emoji, variation selectors after emoji and
  /// ideographs, and tags of a flag.
  private func isJoining(_ index: Int) -> Bool {
    guard let scalar = characters[index].scalar else { return false }
    switch scalar.value {
    case 0x180E, 0x200C, 0x200D:
      guard let before = visible(before: index), isJoinable(before) else { return false }
      return characters[before].scalar?.properties.canonicalCombiningClass == .virama || isJoinable(index + 1)
    case 0xE0020...0xE007F: return isInFlag(index)
    default: return scalar.properties.isVariationSelector && isVariable(index - 1)
    }
  }

  /// Returns the index of the character before `index`, skipping a variation selector.
  private func visible(before index: Int) -> Int? {
    guard index > 0 else { return nil }
    let isSelector = characters[index - 1].scalar?.properties.isVariationSelector == true
    return isSelector && isJoining(index - 1) ? index - 2 : index - 1
  }

  /// Whether a joiner can apply to this character: a letter or mark of a script with joiners, or an emoji.
  ///
  /// Latin, Greek, Cyrillic and Armenian have no joiners and are encoded before U+0590.
  private func isJoinable(_ index: Int) -> Bool {
    guard characters.indices.contains(index), characters[index].appearance == .plain,
      let scalar = characters[index].scalar, scalar.value >= 0x590
    else { return false }
    switch scalar.properties.generalCategory {
    case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
    default: return scalar.properties.isEmoji
    }
  }

  /// Whether a character has variants: an emoji, the digit of a keycap, or a letter or symbol from U+0590.
  private func isVariable(_ index: Int) -> Bool {
    guard index >= 0, characters[index].appearance == .plain, let scalar = characters[index].scalar else {
      return false
    }
    if scalar.isASCII {
      let isKeycap = index + 2 < characters.count && characters[index + 2].scalar == "\u{20E3}"
      return isKeycap && (scalar.properties.numericType != nil || scalar == "#")
    }
    return scalar.properties.isEmoji || scalar.value >= 0x590
  }

  /// Whether a tag belongs to the flag of a region: a black flag, tags, and a cancel tag.
  private func isInFlag(_ index: Int) -> Bool {
    var begin = index, end = index
    while begin > 0, isTag(begin - 1) { begin -= 1 }
    while isTag(end + 1) { end += 1 }
    guard begin > 0, characters[begin - 1].scalar == "\u{1F3F4}" else { return false }
    return (1...Self.maximumTags).contains(end - begin)
      && characters[begin...end].firstIndex { $0.scalar == "\u{E007F}" } == end
  }

  /// The maximum number of tags before the cancel tag: a country and its subdivision (ISO 3166-2).
  private static let maximumTags = 6

  private func isTag(_ index: Int) -> Bool {
    guard characters.indices.contains(index), let scalar = characters[index].scalar else { return false }
    return (0xE0020...0xE007F).contains(scalar.value)
  }
}

// MARK: - Candidates

extension NameSpelling {
  /// Returns a candidate for the new name.
  ///
  /// The candidate for attempt 0 is the spelled name, if it is short enough. All others replace the end of
  /// the stem with a part of a digest that depends on the attempt. The extension is kept.
  func candidate(_ attempt: Int) throws(DigestError) -> [UInt8] {
    let pieces = pieces
    let whole = pieces.flatMap { $0 }
    if attempt == 0, whole.count <= Self.longest { return whole }
    // Names cannot contain a slash, so the digested text is unambiguous.
    let digest = try SHA256Digest.of(name + Array("/\(attempt)".utf8))
    let mark = Array("~\(hexadecimalText(Array(digest.bytes.prefix(6))))".utf8)
    let ending = Self.ending(of: pieces)
    let rest: [UInt8] = mark + ending.joined()
    var stem: [[UInt8]] = []
    var count = rest.count
    for piece in pieces.dropLast(ending.count) {
      count += piece.count
      guard count <= Self.longest else { break }
      stem.append(piece)
    }
    // A joiner must not be separated from the character that it joins.
    while stem.count > 1, Self.fault(stem.flatMap { $0 } + rest, form) != nil { stem.removeLast() }
    return stem.flatMap { $0 } + rest
  }

  /// The characters as written in a new name.
  private var pieces: [[UInt8]] {
    let hasFault = characters.contains { $0.fault != nil }
    return characters.map { character in
      guard character.fault != nil || hasFault && character.scalar == "%" else {
        return Array(character.bytes)
      }
      return character.bytes.flatMap { Array("%".utf8) + Array(FileName.hexadecimal($0, .upper).utf8) }
    }
  }

  /// Returns the extension of a name, including its full stop, or nothing if it is longer than 16 bytes.
  private static func ending(of pieces: [[UInt8]]) -> ArraySlice<[UInt8]> {
    guard let dot = pieces.lastIndex(of: Array(".".utf8)), dot > 0 else { return [] }
    let ending = pieces[dot...]
    return ending.joined().count <= 16 ? ending : []
  }

  /// Splits a name into characters. An invalid byte is a separate character.
  private static func split(_ name: [UInt8]) -> [Character] {
    var characters: [Character] = []
    var rest = name[...]
    while let first = rest.first {
      let count = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
      let scalars = String(validating: rest.prefix(count), as: UTF8.self)?.unicodeScalars
      if let scalars, scalars.count == 1, let scalar = scalars.first {
        characters.append(
          Character(bytes: rest.prefix(count), scalar: scalar, appearance: CharacterAppearance(scalar))
        )
        rest = rest.dropFirst(count)
      } else {
        characters.append(Character(bytes: rest.prefix(1), scalar: nil, appearance: .plain))
        rest = rest.dropFirst()
      }
    }
    return characters
  }
}
