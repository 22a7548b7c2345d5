// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

/// What can be said of a file's name, and an ordinary name instead of one that is none.
enum FileName {
  /// The longest name in bytes (`NAME_MAX`).
  private static let longest = 255

  /// Why a name is not ordinary; nil if it is.
  static func fault(_ name: [UInt8]) -> QuarantineReason? {
    if isPrintableASCII(name) {
      return name.contains { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: " ") } ? nil : .nameMisleading
    }
    guard let text = String(validating: name, as: UTF8.self) else { return .nameNotUTF8 }
    let looks = text.unicodeScalars.map { NameLook($0) }
    if looks.contains(.controlling) { return .nameWithControlCharacters }
    let deceives = looks.contains { $0 == .nothing || $0 == .slash } || isOnlyDots(looks)
    return deceives ? .nameMisleading : nil
  }

  /// Whether characters look like `.`, `..`, more of them, or nothing at all.
  private static func isOnlyDots(_ looks: [NameLook]) -> Bool { !looks.contains(.plain) }

  /// Whether bytes are nothing but letters, digits and signs, as those of nearly all names are.
  private static func isPrintableASCII(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// A name, or a path, for people and for JSON: if a name in it is not ordinary, all that is not printable ASCII is
  /// written `\xNN`.
  static func text(_ path: [UInt8]) -> String {
    let isOrdinary =
      isPrintableASCII(path)
      || path.split(separator: UInt8(ascii: "/")).allSatisfy { fault(Array($0)) == nil }
    if isOrdinary { return String(decoding: path, as: UTF8.self) }
    return path.map { byte in
      (0x20..<0x7F).contains(byte) ? String(Unicode.Scalar(byte)) : "\\x" + hexadecimal(byte, .lower)
    }.joined()
  }

  /// An ordinary name instead of one that is none: what can't stay is written `%NN`, byte for byte.
  ///
  /// A percent sign is written so, too, so that two names never become one. If the result would be too long, or if
  /// somebody has it, the end of the stem is left out, and a part of a digest of the name stands there: with another
  /// `attempt` another one.
  static func ordinary(insteadOf name: [UInt8], attempt: Int) throws(DigestError) -> [UInt8] {
    let pieces = pieces(of: name)
    let whole = pieces.flatMap { $0 }
    if attempt == 0, whole.count <= longest { return whole }
    // A slash is in no name, so that name and number cannot be taken for another name.
    let digest = try SHA256Digest.of(name + Array("/\(attempt)".utf8))
    let mark = Array("~\(hexadecimalText(Array(digest.bytes.prefix(6))))".utf8)
    let ending = ending(of: pieces)
    let rest: [UInt8] = mark + ending.joined()
    var stem: [UInt8] = []
    for piece in pieces.dropLast(ending.count) {
      guard stem.count + piece.count + rest.count <= longest else { break }
      stem += piece
    }
    return stem + rest
  }

  /// The characters of a name as they stand in its ordinary form.
  private static func pieces(of name: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = name[...]
    let onlyDots = String(validating: name, as: UTF8.self).map {
      isOnlyDots($0.unicodeScalars.map { NameLook($0) })
    }
    while let first = rest.first {
      let (count, scalar) = character(at: first, in: rest)
      let piece = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      let stays = onlyDots != true && scalar.map { $0 != "%" && canStay(NameLook($0)) } == true
      pieces.append(stays ? piece : piece.flatMap { Array("%".utf8) + Array(hexadecimal($0, .upper).utf8) })
    }
    return pieces
  }

  private static func canStay(_ look: NameLook) -> Bool {
    switch look {
    case .plain, .blank, .dot: true
    case .slash, .nothing, .controlling: false
    }
  }

  /// The first character and how many bytes it has; a byte that begins none stands alone.
  private static func character(
    at first: UInt8,
    in bytes: ArraySlice<UInt8>
  ) -> (count: Int, scalar: Unicode.Scalar?) {
    let count = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let text = String(validating: bytes.prefix(count), as: UTF8.self)
    guard let scalars = text?.unicodeScalars, scalars.count == 1 else { return (1, nil) }
    return (count, scalars.first)
  }

  /// What programs tell the kind of a file by: the last full stop and what follows, if that is short.
  private static func ending(of pieces: [[UInt8]]) -> ArraySlice<[UInt8]> {
    guard let dot = pieces.lastIndex(of: Array(".".utf8)), dot > 0 else { return [] }
    let ending = pieces[dot...]
    return ending.joined().count <= 16 ? ending : []
  }

  /// How digits are written.
  private enum Case {
    /// As in what is shown.
    case lower
    /// As in addresses (RFC 3986).
    case upper
  }

  private static func hexadecimal(_ byte: UInt8, _ letters: Case) -> String {
    let digits = String(byte, radix: 16, uppercase: letters == .upper)
    return byte < 16 ? "0" + digits : digits
  }
}
