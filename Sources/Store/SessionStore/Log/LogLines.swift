// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A reader of the complete lines of a file from last to first. It reads in chunks, so that the last lines of
/// a large file are as cheap as those of a small one.
struct BackwardLineReader: ~Copyable {
  private let file: Descriptor
  /// The file offset of ``pending``.
  private var offset: Int64
  /// The last chunk read.
  private var pending: [UInt8]
  /// The end of the unread part of ``pending``.
  private var end: Int
  /// Whether all lines have been returned.
  private var isDone: Bool
  /// The bytes after the last line break: a line truncated by a crash.
  let torn: [UInt8]

  private static let chunk: Int64 = 1 << 16
  /// The size of the first chunk, for appending, which needs only the last line.
  private static let firstChunk: Int64 = 1 << 12
  private static let lineBreak = UInt8(ascii: "\n")

  /// Creates a reader of an open file.
  init(_ file: consuming Descriptor) throws(StoreError) {
    var offset = try Self.size(file)
    var tail: [UInt8] = []
    while offset > 0, ByteSearch.first(Self.lineBreak, in: tail, from: 0) == nil {
      let begin = max(0, offset - (tail.isEmpty ? Self.firstChunk : Self.chunk))
      tail = try Self.read(file, begin, Int(offset - begin)) + tail
      offset = begin
    }
    let last = ByteSearch.last(Self.lineBreak, in: tail, before: tail.count)
    torn = Array(tail[(last.map { $0 + 1 } ?? 0)...])
    isDone = last == nil
    end = last ?? 0
    pending = tail
    self.offset = offset
    self.file = file
  }

  /// Returns the previous line, or `nil` if there is none.
  mutating func next() throws(StoreError) -> [UInt8]? {
    if isDone { return nil }
    // The part of the line in later chunks.
    var rest: [UInt8] = []
    while true {
      let lineBreak = ByteSearch.last(Self.lineBreak, in: pending, before: end)
      rest = Array(pending[(lineBreak.map { $0 + 1 } ?? 0)..<end]) + rest
      if let lineBreak {
        end = lineBreak
        return rest
      }
      guard offset > 0 else {
        isDone = true
        return rest
      }
      let begin = max(0, offset - Self.chunk)
      pending = try Self.read(file, begin, Int(offset - begin))
      end = pending.count
      offset = begin
    }
  }

  /// Returns the size of a file in bytes.
  static func size(_ file: borrowing Descriptor) throws(StoreError) -> Int64 {
    do { return try file.status().size } catch { throw .system(error) }
  }

  /// Reads bytes of a file.
  fileprivate static func read(
    _ file: borrowing Descriptor,
    _ offset: Int64,
    _ count: Int
  ) throws(StoreError) -> [UInt8] {
    do { return try file.bytes(at: offset, count: count) } catch { throw .system(error) }
  }
}

/// A reader of the complete lines of a file from first to last.
struct ForwardLineReader: ~Copyable {
  private let file: Descriptor
  private let size: Int64
  private var offset: Int64
  private var pending: [UInt8]
  private var position: Int

  private static let chunk: Int64 = 1 << 18

  /// Creates a reader of an open file up to its current size.
  init(_ file: consuming Descriptor) throws(StoreError) {
    size = try BackwardLineReader.size(file)
    offset = 0
    pending = []
    position = 0
    self.file = file
  }

  /// Returns the next line, or `nil` if there is no further complete line.
  mutating func next() throws(StoreError) -> [UInt8]? {
    var from = position
    while true {
      if let lineBreak = ByteSearch.first(UInt8(ascii: "\n"), in: pending, from: from) {
        defer { position = lineBreak + 1 }
        return Array(pending[position..<lineBreak])
      }
      guard offset < size else { return nil }
      from = pending.count - position
      let more = try BackwardLineReader.read(file, offset, Int(min(Self.chunk, size - offset)))
      // The file was truncated.
      guard !more.isEmpty else { return nil }
      pending = Array(pending[position...]) + more
      offset += Int64(more.count)
      position = 0
    }
  }

  /// The bytes after the last complete line, once ``next()`` has returned that line.
  var rest: [UInt8] { Array(pending[position...]) }
}
