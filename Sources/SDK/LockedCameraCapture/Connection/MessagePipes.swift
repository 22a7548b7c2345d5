// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The two pipes and what was read and not yet handled.
final class MessagePipes {
  private let input: Descriptor
  private let output: Descriptor
  private var framer = LineFramer()
  private var line: [UInt8]?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

  init(input: consuming Descriptor, output: consuming Descriptor) {
    self.input = input
    self.output = output
  }

  deinit { buffer.deallocate() }

  /// Waits until the host has sent something, there is a frame that is waited for, `sound` or `waking` is readable, or it
  /// is `deadline` on the clock that never jumps.
  func wait(
    _ interest: FrameInterest,
    sound: Int32?,
    waking: Int32?,
    until deadline: UInt64?
  ) throws(ExtensionFailure) -> Found {
    var deadline = deadline
    var frames: Int32 = -1
    if case .next(let descriptor) = interest { frames = descriptor }
    if case .pending = interest { deadline = 0 }
    let ready: [Readiness]
    do {
      // A negative descriptor is skipped (poll(2)).
      ready = try Poller.wait(
        [
          (input.rawValue, .readable), (frames, .readable), (waking ?? -1, .readable),
          (sound ?? -1, .readable),
        ],
        until: deadline
      )
    } catch {
      throw .system(error)
    }
    var frame = !ready[1].isEmpty
    if case .pending = interest { frame = true }
    return Found(
      message: !ready[0].isEmpty,
      frame: frame,
      work: !ready[2].isEmpty,
      sound: !ready[3].isEmpty
    )
  }

  /// What a wait has found.
  struct Found {
    /// The host has sent something, or closed.
    let message: Bool
    /// There is a frame.
    let frame: Bool
    /// There is work for the main thread.
    let work: Bool
    /// There is sound.
    let sound: Bool
  }

  /// Reads once, waiting if there is nothing; false at the end.
  func receive() throws(ExtensionFailure) -> Bool {
    do throws(SystemCallError) {
      switch try input.read(into: buffer) {
      case .bytes(let count): framer.push(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: 0)
      // A host may give us a pipe that does not wait.
      case .wouldBlock: _ = try Poller.wait([(input.rawValue, .readable)])
      case .end: return false
      }
      return true
    } catch {
      throw .system(error)
    }
  }

  /// Whether a whole line is there.
  func hasLine() throws(ExtensionFailure) -> Bool {
    if line == nil {
      do { line = try framer.next() } catch { throw .violation(error) }
    }
    return line != nil
  }

  /// The next message, or nil if no whole line is there.
  func nextMessage() throws(ExtensionFailure) -> HostMessage? {
    guard try hasLine(), let taken = line else { return nil }
    line = nil
    do { return try HostMessage(line: taken) } catch { throw .violation(error) }
  }

  /// Sends a message; waits if the pipe is full.
  func send(_ message: ExtensionMessage) throws(ExtensionFailure) {
    do { try output.writeAll(message.line) } catch {
      throw error.errno == .brokenPipe ? .hostGone : .system(error)
    }
  }
}
