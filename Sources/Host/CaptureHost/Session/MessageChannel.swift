// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// The host's ends of the two pipes: whole messages in both directions, never waiting.
package final class MessageChannel {
  /// How much the host keeps for an extension that does not read; then it is called broken.
  private static let maximumQueue = 1 << 20

  private var input: Descriptor?
  private var output: Descriptor?
  private var framer = LineFramer()
  private var limiter = RateLimiter()
  private var queue: [UInt8] = []
  /// No line counts as begun before this time.
  private var patience: UInt64 = 0

  /// Takes over the end to read from and the end to write to.
  init(reading input: consuming Descriptor, writing output: consuming Descriptor) throws(SystemCallError) {
    try input.setNonBlocking()
    try output.setNonBlocking()
    self.input = consume input
    self.output = consume output
  }

  /// The end to watch for messages, or nil once the extension has closed it.
  package var readable: Int32? { input?.rawValue }

  /// The end to watch for room, or nil while nothing waits to be sent.
  var writable: Int32? { queue.isEmpty ? nil : output?.rawValue }

  /// When a line that was begun must have ended, or nil.
  var lineDeadline: UInt64? {
    framer.pendingSince.map { max($0, patience) + UInt64(ProtocolLimits.lineSeconds) * 1_000_000_000 }
  }

  /// What reading brought.
  package enum Received {
    /// A message.
    case message(ExtensionMessage)
    /// Something that is none; nothing after it is read.
    case violation(ProtocolViolation)
    /// The extension has closed its end.
    case end
  }

  /// Reads what there is.
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

  /// The violation of a line that was begun and has not ended in time.
  func lateLine(at now: UInt64) -> ProtocolViolation? {
    guard let lineDeadline, now >= lineDeadline else { return nil }
    return ProtocolViolation(.lineTooSlow(seconds: ProtocolLimits.lineSeconds))
  }

  /// A line that was begun has all of its time again.
  func renewDeadline(at now: UInt64) { patience = now }

  /// Sends a message, or keeps it until there is room. False: the extension does not read what it is sent.
  func send(_ message: HostMessage) -> Bool {
    guard output != nil else { return true }
    queue += message.line
    flush()
    return queue.count <= Self.maximumQueue
  }

  /// Sends what waits.
  func flush() {
    while !queue.isEmpty {
      let written: Int?
      do throws(SystemCallError) {
        written = try write(queue)
      } catch {
        // Nobody reads any more: the extension has closed its end or has ended, which is seen elsewhere.
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

  /// Closes the host's end, so that the extension sees the end of its messages.
  func closeOutput() {
    flush()
    output = nil
  }
}
