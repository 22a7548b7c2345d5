// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// A connection of a program to the server: it splits what arrives into lines, and queues what is sent.
///
/// The server's loop reads and writes. Tasks that perform operations only append to the queue.
final class InterfaceConnection: Sendable {
  let socket: HeldDescriptor
  /// The PID of the process that connected.
  let process: Int32
  /// Wakes the server's loop.
  private let wake: @Sendable () -> Void
  private let queue = Mutex(Queue())

  /// The maximum length of a line in bytes, without its line feed.
  static let maximumLine = 1 << 20
  /// The maximum number of bytes that wait to be sent. A client that reads too slowly is disconnected.
  private static let maximumWaiting = 8 << 20

  /// The lines that wait to be sent.
  private struct Queue: Sendable {
    var lines: [Line] = []
    /// The number of bytes of all lines.
    var bytes = 0
    /// Whether too much waits.
    var isOverfull = false
  }

  /// A line that waits to be sent.
  private struct Line: Sendable {
    /// The bytes that were not sent yet.
    var bytes: ArraySlice<UInt8>
    /// The descriptors to send with the first byte.
    var descriptors: [HeldDescriptor]
    /// Called after the line was sent.
    var completion: (@Sendable () -> Void)?
  }

  /// Creates a connection that owns a nonblocking socket.
  init(_ socket: HeldDescriptor, process: Int32, wake: @escaping @Sendable () -> Void) {
    (self.socket, self.process, self.wake) = (socket, process, wake)
  }

  /// Whether a line waits to be sent.
  var isWriting: Bool { queue.withLock { !$0.lines.isEmpty } }
  /// Whether the client reads too slowly.
  var isOverfull: Bool { queue.withLock { $0.isOverfull } }

  /// Queues a message. `completion` is called after it was sent.
  func send(
    _ message: JSONValue,
    _ descriptors: [HeldDescriptor] = [],
    completion: (@Sendable () -> Void)? = nil
  ) {
    let bytes = message.bytes() + [UInt8(ascii: "\n")]
    queue.withLock { queue in
      guard !queue.isOverfull else { return }
      queue.lines.append(Line(bytes: bytes[...], descriptors: descriptors, completion: completion))
      queue.bytes += bytes.count
      if queue.bytes > Self.maximumWaiting { (queue.lines, queue.isOverfull) = ([], true) }
    }
    wake()
  }

  /// Sends as much as the socket accepts. Only the server's loop calls this function.
  func flush() throws(SystemCallError) {
    while let line = queue.withLock({ $0.lines.first }) {
      let sent: Int?
      if line.descriptors.isEmpty {
        sent = try StreamSocket.send(line.bytes, toNumber: socket.rawValue)
      } else {
        // A single byte is sent completely or not at all, so that the descriptors are sent exactly once.
        sent = try sendFirstByte(of: line) ? 1 : nil
      }
      guard let sent else { return }
      let completion = queue.withLock { queue -> (@Sendable () -> Void)? in
        // The queue may have become overfull, and empty, meanwhile.
        guard !queue.lines.isEmpty else { return nil }
        queue.bytes -= sent
        queue.lines[0].bytes.removeFirst(sent)
        queue.lines[0].descriptors = []
        guard queue.lines[0].bytes.isEmpty else { return nil }
        return queue.lines.removeFirst().completion
      }
      completion?()
    }
  }

  private func sendFirstByte(of line: Line) throws(SystemCallError) -> Bool {
    do throws(SystemCallError) {
      let numbers = line.descriptors.map(\.rawValue)
      try PacketSocket.send(Array(line.bytes.prefix(1)), numbers, over: socket.descriptor)
      return true
    } catch {
      if error.errno == .wouldBlock { return false }
      throw error
    }
  }
}

/// Splits a stream of bytes into lines.
struct LineSplitter {
  private var partial: [UInt8] = []

  /// Adds bytes, and returns the lines that they complete, without line feeds. Returns `nil` if a line exceeds
  /// the limit.
  mutating func add(_ bytes: some Sequence<UInt8>, limit: Int) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(partial)
        partial = []
        continue
      }
      guard partial.count < limit else { return nil }
      partial.append(byte)
    }
    return lines
  }
}
