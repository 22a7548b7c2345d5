// SPDX-License-Identifier: Apache-2.0

/// The hardening of a program, as far as the headers of its ELF file show it (elf(5)).
struct ELFHardening: Sendable, Hashable {
  /// Whether a property holds, or cannot be determined from the file.
  enum Answer: String, Sendable {
    case yes
    case no
    case unknown
  }

  /// Position-independent code, so that addresses are random (`ET_DYN`).
  var positionIndependent = Answer.unknown
  /// Neither a segment nor the stack is writable and executable (`PT_GNU_STACK`).
  var noExecutableData = Answer.unknown
  /// The data of the dynamic loader are read-only after the start (`PT_GNU_RELRO`).
  var relro = Answer.unknown
  /// All symbols are bound at the start, so that the data of the loader stay read-only (`DF_BIND_NOW`,
  /// `DF_1_NOW`).
  var boundAtStart = Answer.unknown
  /// Stack overflows are detected (`__stack_chk_fail`).
  var stackProtector = Answer.unknown
  /// Calls of C library functions are checked where the buffer sizes are known (`_FORTIFY_SOURCE`).
  var fortified = Answer.unknown
  /// The program is static: it needs neither a loader nor shared libraries.
  var isStatic = false

  /// The properties with their names, in the order of reports.
  var properties: [(name: String, answer: Answer)] {
    [
      ("positionIndependent", positionIndependent), ("noExecutableData", noExecutableData), ("relro", relro),
      ("boundAtStart", boundAtStart), ("stackProtector", stackProtector), ("fortifySource", fortified),
    ]
  }

  /// Reads the headers of a program, or returns `nil` if it is not a 64-bit little-endian ELF program.
  init?(_ bytes: [UInt8]) {
    guard let file = ELFFile(bytes) else { return nil }
    positionIndependent = file.isShared ? .yes : .no
    let stack = file.segments.first { $0.type == ELFFile.gnuStack }
    let hasWritableExecutableSegment = file.segments.contains { $0.type == ELFFile.load && $0.flags & 3 == 3 }
    // Without this entry, the kernel makes the stack executable.
    noExecutableData = stack.map { $0.flags & 1 == 0 && !hasWritableExecutableSegment } == true ? .yes : .no
    isStatic = !file.segments.contains { $0.type == ELFFile.interpreter }
    let dynamic = file.dynamicEntries
    let isBound =
      dynamic[ELFFile.bindNow] != nil || (dynamic[ELFFile.flags] ?? 0) & 8 != 0
      || (dynamic[ELFFile.flags1] ?? 0) & 1 != 0
    let hasRelro = file.segments.contains { $0.type == ELFFile.gnuRelro }
    // A static program has no symbols to bind.
    boundAtStart = isBound || isStatic ? .yes : .no
    relro = hasRelro ? .yes : .no
    guard let names = file.symbolNames else { return }
    stackProtector = names.contains { $0.hasPrefix("__stack_chk_fail") } ? .yes : .no
    fortified = names.contains { $0.hasPrefix("__") && $0.hasSuffix("_chk") } ? .yes : .no
  }
}

/// The tables of an ELF file. All numbers in the file are untrusted: nothing beyond the end of the bytes is
/// read.
private struct ELFFile {
  static let load: UInt32 = 1, interpreter: UInt32 = 3
  static let gnuStack: UInt32 = 0x6474_E551, gnuRelro: UInt32 = 0x6474_E552
  static let bindNow: UInt64 = 24, flags: UInt64 = 30, flags1: UInt64 = 0x6FFF_FFFB
  private static let dynamic: UInt32 = 2
  private static let symbolTables: Set<UInt64> = [2, 11]

  /// A segment. The corresponding structure is `Elf64_Phdr`.
  struct Segment {
    var type: UInt32
    var flags: UInt32
    var offset: Int
    var size: Int
  }

  let bytes: [UInt8]
  let isShared: Bool
  private(set) var segments: [Segment] = []

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 64, bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
    self.bytes = bytes
    isShared = Self.number(bytes, 16, 2) == 3
    guard isShared || Self.number(bytes, 16, 2) == 2 else { return nil }
    let (start, size) = (Self.offset(bytes, 32), Int(Self.number(bytes, 54, 2)))
    for index in 0..<Int(Self.number(bytes, 56, 2)) {
      let place = start + index * size
      guard size >= 56, place + 56 <= bytes.count else { break }
      segments.append(
        Segment(
          type: UInt32(Self.number(bytes, place, 4)),
          flags: UInt32(Self.number(bytes, place + 4, 4)),
          offset: Self.offset(bytes, place + 8),
          size: Self.offset(bytes, place + 32)
        )
      )
    }
  }

  /// The entries of the dynamic section by tag.
  var dynamicEntries: [UInt64: UInt64] {
    guard let segment = segments.first(where: { $0.type == Self.dynamic }) else { return [:] }
    var entries: [UInt64: UInt64] = [:]
    let end = min(bytes.count, segment.offset + segment.size)
    for place in stride(from: segment.offset, to: end - 15, by: 16) {
      let tag = Self.number(bytes, place, 8)
      guard tag != 0 else { break }
      entries[tag] = Self.number(bytes, place + 8, 8)
    }
    return entries
  }

  /// The names of all symbols, or `nil` if the file has no symbol table.
  var symbolNames: Set<String>? {
    let (start, size) = (Self.offset(bytes, 40), Int(Self.number(bytes, 58, 2)))
    var names: Set<String>?
    for index in 0..<Int(Self.number(bytes, 60, 2)) {
      let place = start + index * size
      guard size >= 64, place + 64 <= bytes.count else { break }
      guard Self.symbolTables.contains(Self.number(bytes, place + 4, 4)) else { continue }
      let texts = start + Int(Self.number(bytes, place + 40, 4)) * size
      guard texts >= 0, texts + 64 <= bytes.count else { continue }
      let (from, length) = (Self.offset(bytes, place + 24), Self.offset(bytes, place + 32))
      let textStart = Self.offset(bytes, texts + 24)
      let textEnd = min(bytes.count, textStart + Self.offset(bytes, texts + 32))
      names = names ?? []
      for symbol in stride(from: from, to: min(bytes.count, from + length) - 23, by: 24) {
        let name = textStart + Int(Self.number(bytes, symbol, 4))
        guard name < textEnd, name + 2 < textEnd, bytes[name] == UInt8(ascii: "_") else { continue }
        let text = bytes[name..<textEnd].prefix(64).prefix { $0 != 0 }
        names?.insert(String(decoding: text, as: UTF8.self))
      }
    }
    return names
  }

  /// Returns an offset in the file, limited to the size of the file.
  private static func offset(_ bytes: [UInt8], _ place: Int) -> Int {
    Int(min(number(bytes, place, 8), UInt64(bytes.count)))
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
    guard place >= 0, place + count <= bytes.count else { return 0 }
    return (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) }
  }
}
