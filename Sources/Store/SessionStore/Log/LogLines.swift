// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The whole lines of a file from the last to the first, in pieces, so that the end of a large file costs no more than
/// that of a small one.
struct LinesFromEnd: ~Copyable {
  private let file: Descriptor
  /// Where in the file ``pending`` begins.
  private var offset: Int64
  /// What was read last.
  private var pending: [UInt8]
  /// Where in ``pending`` what is not given yet ends.
  private var end: Int
  /// Whether every line was given.
  private var isDone: Bool
  /// What follows the last line break: what a crash has left of a line.
  let torn: [UInt8]

  private static let chunk: Int64 = 1 << 16
  /// What is read first: who adds to a log asks for its last line only.
  private static let firstChunk: Int64 = 1 << 12
  private static let lineBreak = UInt8(ascii: "\n")

  /// The lines of an open file.
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

  /// The line before the one that was given last; nil if there is none.
  mutating func next() throws(StoreError) -> [UInt8]? {
    if isDone { return nil }
    // What follows the piece that was read last.
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

  /// The length of a file.
  static func size(_ file: borrowing Descriptor) throws(StoreError) -> Int64 {
    do { return try file.status().size } catch { throw .system(error) }
  }

  /// Bytes of a file.
  fileprivate static func read(
    _ file: borrowing Descriptor,
    _ offset: Int64,
    _ count: Int
  ) throws(StoreError) -> [UInt8] {
    do { return try file.bytes(at: offset, count: count) } catch { throw .system(error) }
  }
}

/// The whole lines of a file from the first to the last.
struct LinesFromStart: ~Copyable {
  private let file: Descriptor
  private let size: Int64
  private var offset: Int64 = 0
  private var pending: [UInt8] = []
  private var position = 0

  private static let chunk: Int64 = 1 << 18

  /// The lines of an open file, as long as it is now.
  init(_ file: consuming Descriptor) throws(StoreError) {
    size = try LinesFromEnd.size(file)
    self.file = file
  }

  /// The next line; nil if there is no whole one any more.
  mutating func next() throws(StoreError) -> [UInt8]? {
    var from = position
    while true {
      if let lineBreak = ByteSearch.first(UInt8(ascii: "\n"), in: pending, from: from) {
        defer { position = lineBreak + 1 }
        return Array(pending[position..<lineBreak])
      }
      guard offset < size else { return nil }
      from = pending.count - position
      let more = try LinesFromEnd.read(file, offset, Int(min(Self.chunk, size - offset)))
      // A file that became shorter is read no further.
      guard !more.isEmpty else { return nil }
      pending = Array(pending[position...]) + more
      offset += Int64(more.count)
      position = 0
    }
  }

  /// What follows the last whole line, when ``next()`` has given that.
  var rest: [UInt8] { Array(pending[position...]) }
}
