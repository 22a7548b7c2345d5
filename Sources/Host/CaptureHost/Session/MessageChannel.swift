// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// The host's ends of the two message pipes. Whole messages are sent and received without blocking.
package final class MessageChannel {
  /// The maximum number of queued bytes for an extension that does not read. Beyond it, the extension
  /// violates the protocol.
  private static let maximumQueue = 1 << 20

  private var input: Descriptor?
  private var output: Descriptor?
  private var framer = LineFramer()
  private var limiter = RateLimiter()
  private var queue: [UInt8] = []
  /// The earliest time at which an incomplete line counts as started, in ``MonotonicClock`` nanoseconds.
  private var earliestLineStart: UInt64 = 0

  /// Creates a channel from the descriptors to read from and to write to.
  init(reading input: consuming Descriptor, writing output: consuming Descriptor) throws(SystemCallError) {
    try input.setNonBlocking()
    try output.setNonBlocking()
    self.input = consume input
    self.output = consume output
  }

  /// The descriptor to poll for messages, or `nil` once the extension has closed its end.
  package var readable: Int32? { input?.rawValue }

  /// The descriptor to poll for space in the pipe, or `nil` if no message is queued.
  var writable: Int32? { queue.isEmpty ? nil : output?.rawValue }

  /// The time at which an incomplete line must be complete, or `nil` if there is none.
  var lineDeadline: UInt64? {
    framer.pendingSince.map {
      max($0, earliestLineStart) + UInt64(ProtocolLimits.lineSeconds) * 1_000_000_000
    }
  }

  /// An item that was received.
  package enum Received {
    /// A message.
    case message(ExtensionMessage)
    /// A protocol violation. Nothing is read after it.
    case violation(ProtocolViolation)
    /// The extension has closed its end.
    case end
  }

  /// Reads the available messages.
  package func receive(at now: UInt64) throws(SystemCallError) -> [Received] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
    defer { buffer.deallocate() }
    guard let outcome = try input?.read(into: buffer) else { return [] }
    switch outcome {
    case .wouldBlock: return []
    case .bytes(let count):
      framer.push(buffer[..<count], at: now)
      return messages(at: now)
    case .end:
      input = nil
      do throws(ProtocolViolation) { try framer.finish() } catch { return [.violation(error)] }
      return [.end]
    }
  }

  private func messages(at now: UInt64) -> [Received] {
    var received: [Received] = []
    do throws(ProtocolViolation) {
      while let line = try framer.next() {
        guard limiter.admit(at: now) else {
          throw ProtocolViolation(.tooManyMessages(perSecond: ProtocolLimits.messagesPerSecond))
        }
        received.append(.message(try ExtensionMessage(line: line)))
      }
    } catch {
      received.append(.violation(error))
    }
    return received
  }

  /// Returns a violation if an incomplete line is late, otherwise `nil`.
  func overdueLineViolation(at now: UInt64) -> ProtocolViolation? {
    guard let lineDeadline, now >= lineDeadline else { return nil }
    return ProtocolViolation(.lineTooSlow(seconds: ProtocolLimits.lineSeconds))
  }

  /// Restarts the time limit of an incomplete line.
  func renewDeadline(at now: UInt64) { earliestLineStart = now }

  /// Sends a message, or queues it until the pipe has space. Returns `false` if the extension does not read
  /// its messages.
  func send(_ message: HostMessage) -> Bool {
    guard output != nil else { return true }
    queue += message.line
    flush()
    return queue.count <= Self.maximumQueue
  }

  /// Sends the queued bytes.
  func flush() {
    while !queue.isEmpty {
      let written: Int?
      do throws(SystemCallError) {
        written = try write(queue)
      } catch {
        // The extension has closed its end or has exited, which is handled elsewhere.
        output = nil
        queue = []
        return
      }
      guard let written else { return }
      queue.removeFirst(written)
    }
  }

  private func write(_ bytes: [UInt8]) throws(SystemCallError) -> Int? {
    var result: Result<Int?, SystemCallError> = .success(nil)
    bytes.withUnsafeBytes { buffer in
      result = Result { () throws(SystemCallError) in try output?.write(buffer) ?? nil }
    }
    return try result.get()
  }

  /// Closes the host's end, so that the extension reads the end of the file.
  func closeOutput() {
    flush()
    output = nil
  }
}
