// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The pipes to and from the host, with the input that was read but not handled.
///
/// Any thread may send. It is `@unchecked Sendable`, because only the thread that ``ThreadCalls`` has given the
/// right to read uses the input.
final class MessagePipes: @unchecked Sendable {
  private let input: Descriptor
  private let output: Mutex<Descriptor>
  private var framer = LineFramer()
  private var line: [UInt8]?
  /// The main run loop, or `nil` if the program has none.
  var runLoop: FoundationRunLoop?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

  init(input: consuming Descriptor, output: consuming Descriptor) {
    self.input = input
    self.output = Mutex(output)
  }

  deinit { buffer.deallocate() }

  /// Waits until the host has sent data, a requested frame is available, `sound` or `waking` is readable, or
  /// `deadline` has passed on the monotonic clock.
  func wait(
    _ interest: FrameInterest,
    sound: Int32?,
    waking: Int32?,
    until deadline: UInt64?
  ) throws(ExtensionFailure) -> PollResult {
    let ready: [Readiness]
    do throws(SystemCallError) {
      ready = try Poller.wait(
        watched(interest, sound: sound, waking: waking),
        until: interest.isPending ? 0 : deadline
      )
    } catch {
      throw .system(error)
    }
    return PollResult(
      message: !ready[0].isEmpty,
      frame: interest.isPending || !ready[1].isEmpty,
      work: !ready[2].isEmpty,
      sound: !ready[3].isEmpty
    )
  }

  /// Runs ``runLoop`` until it has handled an event, or until ``wait(_:sound:waking:until:)`` with the same
  /// parameters would return.
  func runMainRunLoop(
    _ interest: FrameInterest,
    sound: Int32?,
    until deadline: UInt64?
  ) throws(ExtensionFailure) {
    do throws(SystemCallError) {
      try runLoop?.run(
        while: watched(interest, sound: sound, waking: nil),
        until: interest.isPending ? 0 : deadline
      )
    } catch {
      throw .system(error)
    }
  }

  /// Returns the descriptors to wait for; poll(2) skips the negative ones.
  private func watched(
    _ interest: FrameInterest,
    sound: Int32?,
    waking: Int32?
  ) -> [(descriptor: Int32, interest: Readiness)] {
    var frames: Int32 = -1
    if case .next(let descriptor) = interest { frames = descriptor }
    return [
      (input.rawValue, .readable), (frames, .readable), (waking ?? -1, .readable), (sound ?? -1, .readable),
    ]
  }

  /// The result of a wait.
  struct PollResult {
    /// The host has sent data or closed the pipe.
    let message: Bool
    /// A frame is available.
    let frame: Bool
    /// The main thread has work.
    let work: Bool
    /// Sound is available.
    let sound: Bool
  }

  /// Reads once and waits for data if there is none.
  ///
  /// - Returns: `false` at the end of the input.
  func receive() throws(ExtensionFailure) -> Bool {
    do throws(SystemCallError) {
      switch try input.read(into: buffer) {
      case .bytes(let count): framer.push(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: 0)
      // A host may pass a non-blocking pipe.
      case .wouldBlock: _ = try Poller.wait([(input.rawValue, .readable)])
      case .end: return false
      }
      return true
    } catch {
      throw .system(error)
    }
  }

  /// Returns whether a complete line is available.
  func hasLine() throws(ExtensionFailure) -> Bool {
    if line == nil {
      do { line = try framer.next() } catch { throw .violation(error) }
    }
    return line != nil
  }

  /// Returns the next message, or `nil` if no complete line is available.
  func nextMessage() throws(ExtensionFailure) -> HostMessage? {
    guard try hasLine(), let taken = line else { return nil }
    line = nil
    do { return try HostMessage(line: taken) } catch { throw .violation(error) }
  }

  /// Sends a message and blocks while the pipe is full.
  func send(_ message: ExtensionMessage) throws(ExtensionFailure) {
    let line = message.line
    do throws(SystemCallError) {
      // The lock keeps the lines of two threads apart.
      try output.withLock { output throws(SystemCallError) in try output.writeAll(line) }
    } catch {
      throw error.errno == .brokenPipe ? .hostClosed : .system(error)
    }
  }
}
