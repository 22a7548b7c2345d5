// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A sequential reader of a file, pipe or FIFO, with lookahead.
///
/// Each read that can block first waits for the descriptor and the stop signal together. `O_NONBLOCK` is
/// therefore not needed; on standard input it would affect every process that shares the open file
/// description.
final class ByteStream {
  /// The name of the source in messages.
  let name: String
  /// The number of bytes that were returned to callers.
  private(set) var offset = 0
  /// The open file.
  private let descriptor: Descriptor
  /// Whether a read can block.
  private let canBlock: Bool
  /// The lookahead buffer. The bytes from ``start`` on were not returned yet.
  private var lookahead: [UInt8] = []
  /// The index of the first unread byte in ``lookahead``.
  private var start = 0

  /// Creates a stream that owns a file.
  init(_ descriptor: consuming Descriptor, name: String) throws(FrameSourceError) {
    do {
      canBlock = try descriptor.status().kind != .regular
    } catch {
      throw FrameSourceError(name, .system(error))
    }
    self.descriptor = descriptor
    self.name = name
  }

  /// Returns the next bytes without consuming them; fewer than `count` only at the end of the stream.
  func peek(_ count: Int, stop: StopSignal) throws(FrameSourceError) -> ArraySlice<UInt8> {
    while lookahead.count - start < count, try readAhead(stop: stop) {}
    return lookahead[start...].prefix(count)
  }

  /// Reads a line of at most `limit` bytes, without its newline.
  func readLine(limit: Int, stop: StopSignal) throws(FrameSourceError) -> LineOutcome {
    var searched = start
    while true {
      if let newline = lookahead[searched...].firstIndex(of: 10) {
        if newline - start > limit { return .tooLong }
        let line = Array(lookahead[start..<newline])
        offset += line.count + 1
        start = newline + 1
        return .line(line)
      }
      if lookahead.count - start > limit { return .tooLong }
      let pending = lookahead.count - start
      if try !readAhead(stop: stop) { return pending == 0 ? .end : .truncated }
      searched = start + pending
    }
  }

  /// The result of reading a line.
  enum LineOutcome: Equatable {
    /// A line without its newline.
    case line([UInt8])
    /// The stream has no more bytes.
    case end
    /// The stream ends within the line.
    case truncated
    /// The line is longer than the limit.
    case tooLong
  }

  /// Reads bytes until `target` is full, and returns their number; fewer only at the end of the stream.
  ///
  /// The bytes are read directly into `target`. The same system call reads a few more bytes into the
  /// lookahead buffer, so that the line between two frames needs no separate call.
  func read(into target: UnsafeMutableRawBufferPointer, stop: StopSignal) throws(FrameSourceError) -> Int {
    let held = min(lookahead.count - start, target.count)
    target.part(0..<held).copyBytes(from: lookahead[start..<(start + held)])
    start += held
    var filled = held
    while filled < target.count {
      let rest = target.part(filled..<target.count)
      let count = try readOnce(into: rest, lookahead: Self.lineBytes, stop: stop)
      if count == 0 { break }
      filled += min(count, rest.count)
    }
    offset += filled
    return filled
  }

  /// Returns all remaining bytes, or `nil` if there are more than `limit`.
  func readRest(limit: Int, stop: StopSignal) throws(FrameSourceError) -> [UInt8]? {
    while try readAhead(1 << 18, stop: stop) {
      if lookahead.count - start > limit { return nil }
    }
    let rest = Array(lookahead[start...])
    start = lookahead.count
    offset += rest.count
    return rest
  }

  /// The size of the lookahead while the stream searches for a line. It is small because pixels follow a
  /// line, and pixels should be read directly into their slot.
  private static let lineBytes = 64

  /// Reads bytes into the lookahead buffer. Returns `false` at the end of the stream.
  private func readAhead(_ count: Int = lineBytes, stop: StopSignal) throws(FrameSourceError) -> Bool {
    let nothing = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    return try readOnce(into: nothing, lookahead: count, stop: stop) > 0
  }

  /// Reads once: into `target`, then up to `count` bytes into the lookahead buffer. Returns the number of
  /// bytes, 0 at the end of the stream.
  private func readOnce(
    into target: UnsafeMutableRawBufferPointer,
    lookahead count: Int,
    stop: StopSignal
  ) throws(FrameSourceError) -> Int {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { piece.deallocate() }
    while true {
      if canBlock, try !waitForBytes(stop) { throw FrameSourceError(name, .stopped) }
      let outcome: ReadOutcome
      do {
        outcome = try descriptor.read(into: target, then: piece)
      } catch {
        throw FrameSourceError(name, .system(error))
      }
      switch outcome {
      case .bytes(let total):
        appendLookahead(piece.prefix(max(0, total - target.count)))
        return total
      case .end: return 0
      case .wouldBlock: continue
      }
    }
  }

  /// Appends bytes to the lookahead buffer and removes the consumed ones.
  private func appendLookahead(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
    if start > 0 {
      lookahead.removeFirst(start)
      start = 0
    }
    lookahead.append(contentsOf: bytes)
  }

  /// Waits for bytes or the end of the stream. Returns `false` if the stop signal was raised first.
  private func waitForBytes(_ stop: StopSignal) throws(FrameSourceError) -> Bool {
    do {
      return try stop.wait(for: descriptor.rawValue, .readable)
    } catch {
      throw FrameSourceError(name, .system(error))
    }
  }
}
