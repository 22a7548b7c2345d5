// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import Synchronization

/// The commands of the embedding program to a session. Any thread adds commands; the session's thread takes
/// them.
final class SessionInput: Sendable {
  private let commands = Mutex<[SessionCommand]>([])
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

  /// Adds a command.
  func add(_ command: SessionCommand) {
    commands.withLock { $0.append(command) }
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
    return commands.withLock { commands in
      let taken = commands
      commands = []
      return taken
    }
  }
}
