// SPDX-License-Identifier: Apache-2.0

/// The files that an ELF program or library names to be loaded with it (elf(5)).
///
/// The file is untrusted: only a bounded part of it is read, and nothing is executed.
package struct DynamicProgram: Sendable, Hashable {
  /// Returns up to `count` bytes of a file from `offset` on. Fewer bytes are returned at its end, or if it
  /// cannot be read.
  package typealias Reading = (_ offset: Int, _ count: Int) -> [UInt8]

  /// The path of the loader (`PT_INTERP`), or `nil` if there is none, as in a static program or a library.
  package var loader: String?
  /// The names of the libraries (`DT_NEEDED`).
  package var libraries: [String] = []
  /// The directories in which the loader searches for its own libraries (`DT_RUNPATH`).
  package var runPath: [String] = []
  /// The directories in which the loader searches for its libraries and for the libraries of those (`DT_RPATH`).
  package var inheritedPath: [String] = []

  /// The maximum number of program headers, dynamic section entries, and libraries that are read.
  private static let maximumHeaders = 128
  private static let maximumEntries = 4096
  private static let maximumLibraries = 256
  /// The maximum number of directories of a search path.
  private static let maximumDirectories = 64
  /// The maximum length of a path, as in the kernel (`PATH_MAX`).
  private static let longestText = 4096

  /// A program header: a part of the file and its addresses.
  private struct Segment {
    var kind: UInt64
    var offset: UInt64
    var address: UInt64
    var size: UInt64

    init(_ bytes: ArraySlice<UInt8>) {
      kind = bytes.number(at: 0, count: 4)
      offset = bytes.number(at: 8, count: 8)
      address = bytes.number(at: 16, count: 8)
      size = bytes.number(at: 32, count: 8)
    }

    /// Returns the file offset of an address, or `nil` if the address is not in this segment.
    func offset(of address: UInt64) -> UInt64? {
      guard address >= self.address, address - self.address < size else { return nil }
      let (place, isTooLarge) = offset.addingReportingOverflow(address - self.address)
      return isTooLarge ? nil : place
    }
  }

  /// Reads a file, or returns `nil` if it is not an ELF file of 64 bits and little-endian order, or is damaged.
  package init?(_ read: Reading) {
    let header = read(0, 64)[...]
    guard header.count == 64, header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      header.number(at: 54, count: 2) == 56, let start = Int(exactly: header.number(at: 32, count: 8))
    else { return nil }
    let count = min(Int(header.number(at: 56, count: 2)), Self.maximumHeaders)
    let table = read(start, count * 56)[...]
    let segments = (0..<table.count / 56).map { Segment(table.dropFirst($0 * 56).prefix(56)) }
    // PT_INTERP, PT_DYNAMIC, PT_LOAD.
    if let segment = segments.first(where: { $0.kind == 3 }) { loader = Self.text(segment.offset, read) }
    guard let dynamic = segments.first(where: { $0.kind == 2 }), let place = Int(exactly: dynamic.offset)
    else { return }
    let size = Int(clamping: min(dynamic.size, UInt64(Self.maximumEntries * 16)))
    readEntries(read(place, size)[...], segments.filter { $0.kind == 1 }, read)
  }

  private mutating func readEntries(_ bytes: ArraySlice<UInt8>, _ segments: [Segment], _ read: Reading) {
    var entries: [(tag: UInt64, value: UInt64)] = []
    for index in 0..<bytes.count / 16 {
      let entry = bytes.dropFirst(index * 16)
      let tag = entry.number(at: 0, count: 8)
      if tag == 0 { break }
      entries.append((tag, entry.number(at: 8, count: 8)))
    }
    // DT_STRTAB, DT_NEEDED, DT_RPATH, DT_RUNPATH.
    guard let address = entries.first(where: { $0.tag == 5 })?.value,
      let table = segments.lazy.compactMap({ $0.offset(of: address) }).first
    else { return }
    func text(_ value: UInt64) -> String? {
      let (place, isTooLarge) = table.addingReportingOverflow(value)
      return isTooLarge ? nil : Self.text(place, read)
    }
    // The loader uses the last of several paths.
    func directories(_ tag: UInt64) -> [String] {
      let path = entries.last { $0.tag == tag }.flatMap { text($0.value) } ?? ""
      return path.split(separator: ":").prefix(Self.maximumDirectories).map(String.init)
    }
    libraries = entries.filter { $0.tag == 1 }.prefix(Self.maximumLibraries).compactMap { text($0.value) }
    inheritedPath = directories(15)
    runPath = directories(29)
  }

  /// Returns a zero-terminated text, or `nil` if it is empty, too long or not UTF-8.
  private static func text(_ place: UInt64, _ read: Reading) -> String? {
    guard let place = Int(exactly: place) else { return nil }
    for length in [256, longestText] {
      let bytes = read(place, length)
      if let end = bytes.firstIndex(of: 0) {
        return end == 0 ? nil : String(validating: bytes[..<end], as: UTF8.self)
      }
      if bytes.count < length { break }
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// Returns a little-endian number. Missing bytes are zero.
  func number(at offset: Int, count: Int) -> UInt64 {
    dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
