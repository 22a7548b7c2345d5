// SPDX-License-Identifier: Apache-2.0

/// A hand-assembled 64-bit ELF file (elf(5)) with the parts that refer to other files.
struct SampleProgram {
  /// The path of the loader, or `nil` for a library.
  var loader: String?
  /// The entries of the dynamic section, as tags and strings.
  var entries: [(tag: UInt64, text: String)] = []

  /// The load address of the file.
  private static let base: UInt64 = 0x40_0000

  /// The bytes of the file: header, program headers, loader path, string table, dynamic section.
  var bytes: [UInt8] {
    let tableEnd = 64 + 3 * 56
    let interpreter: [UInt8] = loader.map { Array($0.utf8) + [0] } ?? []
    var texts: [UInt8] = [0]
    var dynamic: [UInt8] = []
    for (tag, text) in entries {
      dynamic += Self.encoded(tag, 8) + Self.encoded(UInt64(texts.count), 8)
      texts += Array(text.utf8) + [0]
    }
    let textsAt = tableEnd + interpreter.count
    dynamic += Self.encoded(5, 8) + Self.encoded(Self.base + UInt64(textsAt), 8) + Self.encoded(0, 16)
    let dynamicAt = textsAt + texts.count
    let end = dynamicAt + dynamic.count
    let headers =
      Self.programHeader(loader == nil ? 0 : 3, tableEnd, interpreter.count)
      + Self.programHeader(1, 0, end) + Self.programHeader(2, dynamicAt, dynamic.count)
    return Self.elfHeader + headers + interpreter + texts + dynamic
  }

  /// The ELF header, for three program headers that follow it.
  private static var elfHeader: [UInt8] {
    let identification: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    let fields: [(value: UInt64, count: Int)] = [
      (3, 2), (62, 2), (1, 4), (0, 8), (64, 8), (0, 8), (0, 4), (64, 2), (56, 2), (3, 2), (0, 6),
    ]
    return identification + fields.flatMap { encoded($0.value, $0.count) }
  }

  private static func programHeader(_ kind: UInt64, _ offset: Int, _ size: Int) -> [UInt8] {
    let (start, size): (UInt64, UInt64) = (UInt64(offset), UInt64(size))
    let fields: [(value: UInt64, count: Int)] = [
      (kind, 4), (4, 4), (start, 8), (base + start, 8), (base + start, 8), (size, 8), (size, 8), (1, 8),
    ]
    return fields.flatMap { encoded($0.value, $0.count) }
  }

  /// Returns a number as `count` bytes in little-endian order.
  static func encoded(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) : 0 }
  }
}

/// Returns a function that reads from a file with the given bytes.
func byteReader(_ bytes: [UInt8]) -> (Int, Int) -> [UInt8] {
  { offset, count in
    guard offset < bytes.count, offset >= 0, count > 0 else { return [] }
    return Array(bytes[offset..<min(bytes.count, offset.addingReportingOverflow(count).partialValue)])
  }
}
