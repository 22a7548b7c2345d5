// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives
internal import Synchronization

/// A client's command in the server: what stands for the client's own process. The thread that runs it stands in the
/// client's directory, with the client's mask of file modes.
package struct ServedCommand: Sendable {
  /// What is to be done.
  package let call: ServiceRequest.Call
  /// The number of the client's process; a signal to it reaches the command.
  package let client: Int32
  private let shared: ServedClient

  init(_ call: ServiceRequest.Call, _ shared: ServedClient) {
    self.call = call
    self.shared = shared
    client = shared.process
  }

  /// The numbers of the client's standard input, output and error here, valid until the command has ended.
  package var streams: [Int32] { shared.streamNumbers }

  /// The number of the client's terminal here, valid as long; nil: it has none.
  package var terminal: Int32? { shared.terminalNumber }

  /// Brings the signals that the client was sent, a byte with the number of each; it never waits.
  package func signals() throws(SystemCallError) -> Descriptor { try shared.relayed.duplicate() }

  /// Whose turn it is at the client's terminal. The kernel asks nothing of a server, whose terminal it is not; so the server
  /// asks, each time.
  package var turn: TerminalTurn {
    TerminalTurn(isBehind: { isBehind(at: $0) }, stop: { stop() })
  }

  /// Whether keys at a terminal are not the client's to take: it was stopped there, or is behind.
  private func isBehind(at terminal: Int32) -> Bool {
    if shared.isSuspended.load(ordering: .acquiring) { return true }
    return ProcessFacts(client)?.isBehind(at: terminal) ?? true
  }

  /// Stops the client as the kernel would, if it still is behind when it hears of that.
  private func stop() {
    guard let peer = try? PacketPeer.of(shared.socket.descriptor),
      let handle = try? peer.handle(shared.socket.descriptor)
    else { return }
    try? handle.send(.terminalInput)
  }
}

/// What the loop of the server and the thread of a command both know of a client.
final class ServedClient: Sendable {
  /// The connection.
  let socket: HeldDescriptor
  /// The client's process.
  let process: Int32
  /// Whether the client was stopped at its terminal.
  let isSuspended = Atomic(false)
  /// Whether the command has ended, and everything of the client's is closed: from now on it may go.
  let isEnding = Atomic(false)
  /// What the client was told last; nil: it is still to be told.
  let lastReply = Mutex<ServiceReply?>(nil)
  /// Whether the client wants the command to begin; told by ``wish``.
  private let isWanted = Atomic(false)
  /// Counts when the client has said whether it wants that, or has gone.
  private let wish: Descriptor
  /// Where signals for the command go in.
  let relay: Descriptor
  /// Where they come out.
  let relayed: Descriptor
  /// The numbers of the client's standard streams.
  let streamNumbers: [Int32]
  /// The number of the client's terminal.
  let terminalNumber: Int32?
  private let hold: Mutex<Hold>

  /// What is the command's as long as it runs.
  private struct Hold {
    /// The client's descriptors.
    var descriptors: [HeldDescriptor]
    /// The thread that runs the command.
    var thread: Int32?
    /// Since when an output, named by its place in `descriptors`, has had no room.
    var fullSince: [Int: UInt64] = [:]
    /// Whether the command was cut off from any of them.
    var isCut = false
  }

  /// Takes over what a client has sent: its directory, its streams, and perhaps its terminal.
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
    relayed = try pipe.readEnd.duplicate()
    relay = pipe.takeWriteEnd()
    wish = try EventCounter.make()
    streamNumbers = descriptors.dropFirst().prefix(3).map(\.rawValue)
    terminalNumber = descriptors.dropFirst(ServiceRequest.leastDescriptors).first?.rawValue
    hold = Mutex(Hold(descriptors: descriptors))
  }

  /// Whether the thread of the command is done with everything.
  var isOver: Bool { lastReply.withLock { $0 != nil } }

  /// Sends a reply; whoever does not take it has gone.
  func reply(_ reply: ServiceReply) throws(SystemCallError) {
    try PacketSocket.send(reply.json.bytes(), over: socket.descriptor)
  }

  /// Waits until the client wants the command to begin; false: it does not, or says nothing for so long.
  func awaitWish(_ patience: UInt64) throws(SystemCallError) -> Bool {
    _ = try Poller.wait([(wish.rawValue, .readable)], until: MonotonicClock.now + patience)
    return isWanted.load(ordering: .acquiring)
  }

  /// The client wants the command to begin.
  func want() {
    isWanted.store(true, ordering: .releasing)
    try? EventCounter.add(to: wish)
  }

  /// The client has gone: a command that has not begun never does.
  func giveUp() { try? EventCounter.add(to: wish) }

  /// Passes a signal on to the command. One too many is none.
  func pass(_ signal: Signal) {
    var byte = UInt8(truncatingIfNeeded: signal.rawValue)
    _ = try? withUnsafeBytes(of: &byte) { bytes throws(SystemCallError) in try relay.write(bytes) }
  }

  /// The calling thread runs the command from now on; gives the client's directory.
  func begin() -> Int32 {
    ThreadNudge.allow()
    return hold.withLock { hold in
      hold.thread = CurrentProcess.threadID
      return hold.descriptors[0].rawValue
    }
  }

  /// Everything of the client's is closed; the calling thread has nothing more to do with it.
  func letGo() { hold.withLock { $0 = Hold(descriptors: []) } }

  /// Takes the client's streams from the command: what it reads has ended, what it writes goes nowhere, and where it
  /// waits for either it comes back. A reader that reads no more keeps no session from its end.
  func cut(with nothing: borrowing Descriptor) {
    hold.withLock { hold in
      for descriptor in hold.descriptors.dropFirst() { try? nothing.replace(descriptor.rawValue) }
      if let thread = hold.thread { ThreadNudge.send(to: thread) }
    }
  }

  /// Takes those streams from the command that keep a server from its end, to be called now and then from the order to
  /// stop on: standard input when the time is over that commands are given, and what is written to when nobody has made
  /// room there for as long. Whoever reads gets everything.
  func cutUnread(
    since start: UInt64,
    at now: UInt64,
    patience: UInt64,
    with nothing: borrowing Descriptor
  ) {
    hold.withLock { hold in
      guard hold.descriptors.count >= ServiceRequest.leastDescriptors else { return }
      if now >= start + patience {
        try? nothing.replace(hold.descriptors[1].rawValue)
        hold.isCut = true
      }
      let written = hold.descriptors.indices.dropFirst(2)
      let found =
        (try? Poller.wait(written.map { (hold.descriptors[$0].rawValue, .writable) }, until: 0)) ?? []
      for (index, ready) in zip(written, found) {
        guard ready.isEmpty else {
          hold.fullSince[index] = nil
          continue
        }
        let since = hold.fullSince[index] ?? now
        hold.fullSince[index] = since
        guard now >= since + patience else { continue }
        try? nothing.replace(hold.descriptors[index].rawValue)
        hold.isCut = true
      }
      // Again and again: a nudge that comes just before the thread begins to wait is lost.
      if hold.isCut, let thread = hold.thread { ThreadNudge.send(to: thread) }
    }
  }
}
