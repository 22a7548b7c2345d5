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

  /// Whether the client was stopped at its terminal.
  package var isSuspended: Bool { shared.isSuspended.load(ordering: .acquiring) }
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
}
