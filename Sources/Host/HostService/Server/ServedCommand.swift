// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives
internal import Synchronization

/// A client's command in the server, with access to the client's process and streams. The thread that runs it
/// has the client's working directory and file mode mask.
package struct ServedCommand: Sendable {
  /// The requested command.
  package let call: ServiceRequest.Call
  /// The PID of the client. Signals to the client are forwarded to the command.
  package let client: Int32
  private let shared: ServedClient

  init(_ call: ServiceRequest.Call, _ shared: ServedClient) {
    self.call = call
    self.shared = shared
    client = shared.process
  }

  /// The client's standard input, output and error as descriptors of the server, valid until the command has
  /// exited.
  package var streams: [Int32] { shared.streamNumbers }

  /// The client's terminal as a descriptor of the server, valid until the command has exited, or `nil`
  /// without a terminal.
  package var terminal: Int32? { shared.terminalNumber }

  /// Returns a non-blocking descriptor that delivers the client's signals, one byte with the signal number
  /// each.
  package func signals() throws(SystemCallError) -> Descriptor { try shared.signalReadEnd.duplicate() }

  /// The foreground check for the client's terminal. The kernel performs no job control for the server,
  /// because the terminal is not its controlling terminal, so the server checks before each use.
  package var turn: TerminalJobControl {
    TerminalJobControl(isInBackground: { isInBackground(at: $0) }, stop: { stop() })
  }

  /// Returns whether the client must not read keys from a terminal: it is stopped there or in the background.
  private func isInBackground(at terminal: Int32) -> Bool {
    if shared.isSuspended.load(ordering: .acquiring) { return true }
    return ProcessFacts(client)?.isInBackground(at: terminal) ?? true
  }

  /// Stops the client with `SIGTTIN`, as the kernel would, if it is still in the background when it receives
  /// the signal.
  private func stop() {
    guard let peer = try? PacketPeer.of(shared.socket.descriptor),
      let handle = try? peer.handle(shared.socket.descriptor)
    else { return }
    try? handle.send(.terminalInput)
  }
}

/// The state of a client that the server's loop and the thread of the command share.
final class ServedClient: Sendable {
  /// The connected socket.
  let socket: HeldDescriptor
  /// The PID of the client.
  let process: Int32
  /// Whether the client is stopped at its terminal.
  let isSuspended = Atomic(false)
  /// Whether the command has exited and all descriptors of the client are closed. From then on, the client
  /// may disconnect.
  let isEnding = Atomic(false)
  /// The final reply, or `nil` before the command has exited.
  let lastReply = Mutex<ServiceReply?>(nil)
  /// Whether the client confirmed the start of the command. ``startSignal`` signals changes.
  private let isStartConfirmed = Atomic(false)
  /// An event counter that is signaled when the client confirms the start or disconnects.
  private let startSignal: Descriptor
  /// The write end of the pipe for signals to the command.
  let signalWriteEnd: Descriptor
  /// The read end of that pipe.
  let signalReadEnd: Descriptor
  /// The descriptors of the client's standard streams.
  let streamNumbers: [Int32]
  /// The descriptor of the client's terminal, or `nil` without a terminal.
  let terminalNumber: Int32?
  private let resources: Mutex<Resources>

  /// The resources of the running command.
  private struct Resources {
    /// The descriptors that the client passed.
    var descriptors: [HeldDescriptor]
    /// The ID of the thread that runs the command.
    var thread: Int32?
    /// The time since which each output has been full, by its index in `descriptors`.
    var blockedSince: [Int: UInt64] = [:]
    /// Whether any of the client's streams was replaced by the null device.
    var isDetached = false
  }

  /// Takes over the descriptors that a client passed: its directory, its streams, and possibly its terminal.
  init(
    _ socket: HeldDescriptor,
    process: Int32,
    _ descriptors: [HeldDescriptor]
  ) throws(SystemCallError) {
    self.socket = socket
    self.process = process
    let pipe = try Pipe.make()
    try pipe.readEnd.setNonBlocking()
    try pipe.writeEnd.setNonBlocking()
    signalReadEnd = try pipe.readEnd.duplicate()
    signalWriteEnd = pipe.takeWriteEnd()
    startSignal = try EventCounter.make()
    streamNumbers = descriptors.dropFirst().prefix(3).map(\.rawValue)
    terminalNumber = descriptors.dropFirst(ServiceRequest.minimumDescriptors).first?.rawValue
    resources = Mutex(Resources(descriptors: descriptors))
  }

  /// Whether the command's thread has sent the final reply.
  var isFinished: Bool { lastReply.withLock { $0 != nil } }

  /// Sends a reply. It fails if the client has disconnected or does not read.
  func reply(_ reply: ServiceReply) throws(SystemCallError) {
    try PacketSocket.send(reply.json.bytes(), over: socket.descriptor)
  }

  /// Waits until the client confirms the start of the command. Returns `false` if the client disconnects or
  /// the time limit expires.
  func waitForStart(_ patience: UInt64) throws(SystemCallError) -> Bool {
    _ = try Poller.wait([(startSignal.rawValue, .readable)], until: MonotonicClock.now + patience)
    return isStartConfirmed.load(ordering: .acquiring)
  }

  /// Confirms the start of the command.
  func confirmStart() {
    isStartConfirmed.store(true, ordering: .releasing)
    try? EventCounter.add(to: startSignal)
  }

  /// Cancels the start of a command if the client has disconnected before the confirmation.
  func cancelStart() { try? EventCounter.add(to: startSignal) }

  /// Forwards a signal to the command. Signals are dropped if the pipe is full.
  func forward(_ signal: Signal) {
    var byte = UInt8(truncatingIfNeeded: signal.rawValue)
    _ = try? withUnsafeBytes(of: &byte) { bytes throws(SystemCallError) in try signalWriteEnd.write(bytes) }
  }

  /// Registers the calling thread as the one that runs the command, and returns the client's directory.
  func begin() -> Int32 {
    ThreadInterrupt.allow()
    return resources.withLock { resources in
      resources.thread = CurrentProcess.threadID
      return resources.descriptors[0].rawValue
    }
  }

  /// Closes all descriptors of the client and detaches the calling thread from the command.
  func releaseResources() { resources.withLock { $0 = Resources(descriptors: []) } }

  /// Replaces the client's streams by the null device and interrupts the command's thread.
  ///
  /// Reads then return the end of file, writes are discarded, and blocked calls return. So a reader that no
  /// longer reads cannot keep a session from ending.
  func detachStreams(with nothing: borrowing Descriptor) {
    resources.withLock { resources in
      for descriptor in resources.descriptors.dropFirst() { try? nothing.replace(descriptor.rawValue) }
      if let thread = resources.thread { ThreadInterrupt.send(to: thread) }
    }
  }

  /// Replaces streams that keep a stopping server from exiting. The server calls this function repeatedly
  /// after the stop request.
  ///
  /// Standard input is replaced `patience` nanoseconds after the stop request. An output is replaced if it
  /// has been full for as long. A client that reads its output receives all of it.
  func detachStalledStreams(
    since start: UInt64,
    at now: UInt64,
    patience: UInt64,
    with nothing: borrowing Descriptor
  ) {
    resources.withLock { resources in
      guard resources.descriptors.count >= ServiceRequest.minimumDescriptors else { return }
      if now >= start + patience {
        try? nothing.replace(resources.descriptors[1].rawValue)
        resources.isDetached = true
      }
      let written = resources.descriptors.indices.dropFirst(2)
      let found =
        (try? Poller.wait(written.map { (resources.descriptors[$0].rawValue, .writable) }, until: 0)) ?? []
      for (index, ready) in zip(written, found) {
        guard ready.isEmpty else {
          resources.blockedSince[index] = nil
          continue
        }
        let since = resources.blockedSince[index] ?? now
        resources.blockedSince[index] = since
        guard now >= since + patience else { continue }
        try? nothing.replace(resources.descriptors[index].rawValue)
        resources.isDetached = true
      }
      // Repeated, because an interrupt just before the thread starts to wait has no effect.
      if resources.isDetached, let thread = resources.thread { ThreadInterrupt.send(to: thread) }
    }
  }
}
