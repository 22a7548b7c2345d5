// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The bytes of a file, pipe or FIFO, read in order, with a look ahead.
///
/// Whatever can keep a reader waiting is waited for together with the stop signal, so that `O_NONBLOCK` is not needed:
/// it would belong to everybody who has the same standard input.
final class ByteStream {
  /// What people call it.
  let name: String
  /// How many bytes were given out.
  private(set) var offset = 0
  /// The file.
  private let descriptor: Descriptor
  /// Whether reads can wait for somebody.
  private let canWait: Bool
  /// What was read ahead and not given out: the bytes from ``start`` on.
  private var ahead: [UInt8] = []
  /// Where ``ahead`` continues.
  private var start = 0

  /// Takes a file over.
  init(_ descriptor: consuming Descriptor, name: String) throws(FrameSourceError) {
    do {
      canWait = try descriptor.status().kind != .regular
    } catch {
      throw FrameSourceError(name, .system(error))
    }
    self.descriptor = descriptor
    self.name = name
  }

  /// The next bytes without giving them out; fewer than `count` only at the end.
  func peek(_ count: Int, stop: StopSignal) throws(FrameSourceError) -> ArraySlice<UInt8> {
    while ahead.count - start < count, try readAhead(stop: stop) {}
    return ahead[start...].prefix(count)
  }

  /// Gives a line out, without its newline, of at most `limit` bytes; nil at the end of the stream.
  func readLine(limit: Int, stop: StopSignal) throws(FrameSourceError) -> LineOutcome {
    var searched = start
    while true {
      if let newline = ahead[searched...].firstIndex(of: 10) {
        if newline - start > limit { return .tooLong }
        let line = Array(ahead[start..<newline])
        offset += line.count + 1
        start = newline + 1
        return .line(line)
      }
      if ahead.count - start > limit { return .tooLong }
      let pending = ahead.count - start
      if try !readAhead(stop: stop) { return pending == 0 ? .end : .truncated }
      searched = start + pending
    }
  }

  /// What asking for a line brought.
  enum LineOutcome: Equatable {
    /// A line without its newline.
    case line([UInt8])
    /// There are no more bytes.
    case end
    /// The stream ends inside the line.
    case truncated
    /// The line is longer than the limit.
    case tooLong
  }

  /// Gives bytes out until `target` is full; fewer only at the end.
  ///
  /// They are read to where they belong; a few bytes more are read ahead in the same call, so that the line between
  /// two frames costs no call of its own.
  func read(into target: UnsafeMutableRawBufferPointer, stop: StopSignal) throws(FrameSourceError) -> Int {
    let held = min(ahead.count - start, target.count)
    target.part(0..<held).copyBytes(from: ahead[start..<(start + held)])
    start += held
    var filled = held
    while filled < target.count {
      let rest = target.part(filled..<target.count)
      let count = try readOnce(into: rest, ahead: Self.lineBytes, stop: stop)
      if count == 0 { break }
      filled += min(count, rest.count)
    }
    offset += filled
    return filled
  }

  /// All bytes that are left, or nil if there are more than `limit`.
  func readRest(limit: Int, stop: StopSignal) throws(FrameSourceError) -> [UInt8]? {
    while try readAhead(1 << 18, stop: stop) {
      if ahead.count - start > limit { return nil }
    }
    let rest = Array(ahead[start...])
    start = ahead.count
    offset += rest.count
    return rest
  }

  /// How much is read ahead while a line is looked for; little, because what follows a line are pixels, which should
  /// go straight to where they belong.
  private static let lineBytes = 64

  /// Reads a piece ahead; false at the end.
  private func readAhead(_ count: Int = lineBytes, stop: StopSignal) throws(FrameSourceError) -> Bool {
    let nothing = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    return try readOnce(into: nothing, ahead: count, stop: stop) > 0
  }

  /// Reads once: into `target`, and then up to `count` bytes ahead. Returns the number of bytes, 0 at the end.
  private func readOnce(
    into target: UnsafeMutableRawBufferPointer,
    ahead count: Int,
    stop: StopSignal
  ) throws(FrameSourceError) -> Int {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { piece.deallocate() }
    while true {
      if canWait, try !waitForBytes(stop) { throw FrameSourceError(name, .stopped) }
      let outcome: ReadOutcome
      do {
        outcome = try descriptor.read(into: target, then: piece)
      } catch {
        throw FrameSourceError(name, .system(error))
      }
      switch outcome {
      case .bytes(let total):
        keep(piece.prefix(max(0, total - target.count)))
        return total
      case .end: return 0
      case .wouldBlock: continue
      }
    }
  }

  /// Appends what was read ahead, forgetting what was given out.
  private func keep(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
    if start > 0 {
      ahead.removeFirst(start)
      start = 0
    }
    ahead.append(contentsOf: bytes)
  }

  /// Waits for bytes or the end; false if the stop signal came first.
  private func waitForBytes(_ stop: StopSignal) throws(FrameSourceError) -> Bool {
    do {
      return try stop.wait(for: descriptor.rawValue, .readable)
    } catch {
      throw FrameSourceError(name, .system(error))
    }
  }
}
