// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import Synchronization

/// The commands of the embedding program to a session. Any thread adds commands; the session's thread takes
/// them.
final class SessionInput: Sendable {
  /// The commands that the session has not taken yet.
  private struct Pending {
    var commands = PendingCommands(maximumCount: SessionInput.maximumCount)
    /// The command that ends the session. It follows the other commands.
    var end: SessionCommand?
  }

  /// The maximum number of pending commands. The session takes none while its thread waits for a slow file system,
  /// and none after its end.
  static let maximumCount = 1024

  private let pending = Mutex(Pending())
  /// Readable when there are commands.
  let event: HeldDescriptor
  /// The pipe through which the session receives the signals of the host.
  private let signal: HeldDescriptor
  private let relay = Mutex<HeldDescriptor?>(nil)

  /// Creates an input without commands.
  init() throws(SystemCallError) {
    event = HeldDescriptor(try EventCounter.make())
    let pipe = try Pipe.make()
    let read = HeldDescriptor(try pipe.readEnd.duplicate())
    signal = HeldDescriptor(pipe.takeWriteEnd())
    try read.descriptor.setNonBlocking()
    try signal.descriptor.setNonBlocking()
    relay.withLock { $0 = read }
  }

  /// Adds all of several commands, or none of them if ``maximumCount`` commands are pending. A move of a
  /// contact replaces a pending move of that contact.
  ///
  /// - Returns: Whether the commands were added.
  func add(_ commands: SessionCommand...) -> Bool {
    guard pending.withLock({ $0.commands.add(commands) }) else { return false }
    try? EventCounter.add(to: event.descriptor)
    return true
  }

  /// Adds a command that ends the session, however many commands are pending.
  func end(_ command: SessionCommand) {
    // A termination needs no grace period, which a dismissal would begin.
    pending.withLock { if $0.end != .quit { $0.end = command } }
    try? EventCounter.add(to: event.descriptor)
  }

  /// Stops the session, even while the host waits for the first frame of the camera.
  func stop() {
    let bytes = [UInt8(truncatingIfNeeded: Signal.terminate.rawValue)]
    // A full pipe already contains a signal.
    _ = try? signal.descriptor.write(bytes[...])
  }

  /// Returns the signals of the host for one session.
  func signals() throws(SystemCallError) -> HostSignals {
    guard let relay = relay.withLock({ $0 }) else { throw SystemCallError("pipe2", errno: .brokenPipe) }
    return HostSignals(relayedBy: try relay.descriptor.duplicate())
  }

  /// Takes the commands, in their order.
  func take() -> [SessionCommand] {
    _ = try? EventCounter.take(event.descriptor)
    return pending.withLock { pending in
      defer { pending.end = nil }
      return pending.commands.takeAll() + (pending.end.map { [$0] } ?? [])
    }
  }
}
