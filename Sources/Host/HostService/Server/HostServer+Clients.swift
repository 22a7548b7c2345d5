// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// A client of the server, and the state of its connection.
final class ServiceConnection {
  /// The connected socket.
  let socket: HeldDescriptor
  /// The credentials of the process that connected.
  let peer: PacketPeer
  /// A handle of the process that connected, which stays valid if its PID is reused.
  let process: ProcessHandle
  /// The deadline for the client's request (``MonotonicClock``).
  let requestDeadline: UInt64
  /// The reason why the client will be refused, or `nil`. Its request is read anyway: if a socket is closed
  /// with unread data, the kernel discards the reply.
  let refusal: ServiceRefusal?
  /// The deadline for the client to close the connection after its command has exited, or `nil` before that.
  /// The server waits so that the kernel does not discard the reply.
  var closeDeadline: UInt64?
  /// The client's command, or `nil` before the request was received.
  var command: ServedClient?
  /// Whether the client disconnected before its command exited, or after the final reply. Nothing more is
  /// read from it.
  var isDisconnected = false
  /// Whether the connection can be removed.
  var isDone = false

  init(
    _ socket: HeldDescriptor,
    _ peer: PacketPeer,
    _ process: consuming ProcessHandle,
    patience: UInt64,
    refusal: ServiceRefusal?
  ) {
    self.socket = socket
    self.peer = peer
    self.process = process
    self.requestDeadline = patience
    self.refusal = refusal
  }

  /// The descriptor to poll, or -1 for a disconnected client, whose socket would always be ready.
  var watched: Int32 { isDisconnected ? -1 : socket.rawValue }

  /// Returns the time of the next update of this client, or `nil` if it only waits for input.
  func deadline(after now: UInt64) -> UInt64? {
    if command == nil { return requestDeadline }
    if let closeDeadline { return closeDeadline }
    return isDisconnected ? now + HostServer.nudgeInterval : nil
  }

  /// Starts the wait for the client to close the connection. A disconnected client need not close it.
  func beginClosing(at now: UInt64, within patience: UInt64) {
    closeDeadline = isDisconnected ? now : now + patience
  }
}

extension HostServer {
  /// Accepts a client that has the server's UID. Clients with other UIDs are refused; this includes root.
  ///
  /// Root must not rely on an unprivileged server's report about its command.
  func admit(_ socket: HeldDescriptor) {
    guard clients.count < configuration.maximumClients + configuration.maximumRefusedClients,
      let peer = try? PacketPeer.of(socket.descriptor),
      // A client that has already exited is ignored.
      let process = try? peer.handle(socket.descriptor)
    else { return }
    let refusal: ServiceRefusal? =
      peer.user != CurrentProcess.effectiveUserID
      ? .user : clients.count >= configuration.maximumClients ? .busy : nil
    let patience = MonotonicClock.now + configuration.requestTimeout
    clients.append(ServiceConnection(socket, peer, process, patience: patience, refusal: refusal))
  }

  /// Refuses a client, which then runs its command itself.
  func refuse(_ connection: ServiceConnection, _ refusal: ServiceRefusal) {
    try? PacketSocket.send(ServiceReply.refused(refusal).json.bytes(), over: connection.socket.descriptor)
    configuration.tell(.refused(client: connection.peer.process, refusal))
    connection.isDone = true
  }

  /// Receives a packet from a client.
  func receive(_ connection: ServiceConnection) {
    let limit = connection.command == nil ? ServiceRequest.maximumBytes : ServiceClientMessage.maximumBytes
    let arrival = try? PacketSocket.receive(limit: limit, from: connection.socket.descriptor)
    guard let command = connection.command else {
      switch arrival {
      case .nothing: return
      case .packet(let packet): answer(packet, of: connection)
      case .tooLarge: refuse(connection, connection.refusal ?? .malformed)
      case .end, nil: connection.isDone = true
      }
      return
    }
    guard connection.closeDeadline == nil else {
      // Packets after the end of the command are discarded.
      switch arrival {
      case .nothing, .packet, .tooLarge: return
      case .end, nil: connection.isDone = true
      }
      return
    }
    switch arrival {
    case .nothing: return
    case .packet(let packet):
      guard packet.descriptors.isEmpty, let note = ServiceClientMessage(packet.bytes) else {
        return abandon(connection)
      }
      switch note {
      case .begin: command.confirmStart()
      case .signal(let signal): command.forward(signal)
      case .suspended: command.isSuspended.store(true, ordering: .releasing)
      case .resumed: command.isSuspended.store(false, ordering: .releasing)
      }
    case .tooLarge, .end, nil: abandon(connection)
    }
  }

  /// Abandons the command of a client that disconnected or sent an invalid message. The command ends as if
  /// its terminal had been closed.
  private func abandon(_ connection: ServiceConnection) {
    guard let command = connection.command else { return }
    connection.isDisconnected = true
    // A client may disconnect after the final reply, before the thread that sent the reply has finished. The
    // thread reports its end.
    guard !command.isEnding.load(ordering: .acquiring) else { return }
    command.cancelStart()
    command.forward(.hangup)
    command.detachStreams(with: nullDevice)
    configuration.tell(.abandoned(client: connection.peer.process))
  }

  /// Handles timeouts and the end of the client's command.
  func updateState(_ connection: ServiceConnection, at now: UInt64) {
    guard let command = connection.command else {
      if now >= connection.requestDeadline { connection.isDone = true }
      return
    }
    if let farewell = connection.closeDeadline {
      if now >= farewell || connection.isDisconnected { connection.isDone = true }
      return
    }
    switch command.lastReply.withLock({ $0 }) {
    case nil: if connection.isDisconnected { command.detachStreams(with: nullDevice) }
    case .refused(let refusal):
      configuration.tell(.refused(client: connection.peer.process, refusal))
      connection.beginClosing(at: now, within: configuration.closeTimeout)
    case .ended(let code):
      configuration.tell(.ended(client: connection.peer.process, code: code))
      connection.beginClosing(at: now, within: configuration.closeTimeout)
    case .accepted, .state: connection.isDone = true
    }
  }

  private func answer(_ packet: PacketSocket.Packet, of connection: ServiceConnection) {
    if let refusal = connection.refusal { return refuse(connection, refusal) }
    guard let request = ServiceRequest.read(packet.bytes) else { return refuse(connection, .malformed) }
    guard request.version == configuration.version else {
      return refuse(connection, .version(configuration.version))
    }
    switch request.operation {
    case .run(let call): run(call, packet.descriptors, for: connection)
    case .state:
      let state = ServiceState(
        version: configuration.version,
        process: CurrentProcess.processID,
        commands: clients.count { $0.command != nil && $0.closeDeadline == nil },
        supply: configuration.supply(),
        difference: difference(connection)
      )
      try? PacketSocket.send(ServiceReply.state(state).json.bytes(), over: connection.socket.descriptor)
      connection.isDone = true
    case nil: refuse(connection, .malformed)
    }
  }

  /// Returns the first difference between the credentials of a client and of the server, or `nil` if they are
  /// the same.
  ///
  /// With different credentials the server could perform operations for the client that the client itself
  /// could not, or with other results.
  private func difference(_ connection: ServiceConnection) -> String? {
    let handle = connection.process.descriptor.rawValue
    return ClientComparison.difference(credentials, connection.peer.process, handle: handle) {
      $0.difference(to: $1)
    }
  }

  private func run(
    _ call: ServiceRequest.Call,
    _ descriptors: [HeldDescriptor],
    for connection: ServiceConnection
  ) {
    let wanted = ServiceRequest.minimumDescriptors + (call.terminal == .given ? 1 : 0)
    guard descriptors.count == wanted else { return refuse(connection, .malformed) }
    let name: String
    do throws(ServiceRefusal) { name = try configuration.name(call) } catch {
      return refuse(connection, error)
    }
    if let difference = difference(connection) {
      return refuse(connection, .differentCredentials(difference))
    }
    do throws(SystemCallError) {
      let client = try ServedClient(connection.socket, process: connection.peer.process, descriptors)
      let (perform, stopper, patience) = (configuration.perform, stopper, configuration.requestTimeout)
      _ = try PlainThread.start(name: "served") {
        Self.perform(ServedCommand(call, client), client, patience, perform)
        stopper.wake()
      }
      connection.command = client
      configuration.tell(.accepted(client: connection.peer.process, command: name))
    } catch { refuse(connection, .server("\(error)")) }
  }

  /// Runs a client's command on the thread of the command.
  ///
  /// The thread first takes over the client's directory, mask and processors. It closes all descriptors of
  /// the client before it sends the final reply, so that readers of the client's output see its end.
  private static func perform(
    _ command: ServedCommand,
    _ client: ServedClient,
    _ patience: UInt64,
    _ body: @Sendable (ServedCommand) -> Int32
  ) {
    let reply: ServiceReply
    do throws(SystemCallError) {
      let directory = client.begin()
      try ThreadContext.adopt(directory: directory, mask: command.call.fileModeMask)
      try ThreadContext.copyAffinity(of: client.process)
      try client.reply(.accepted(process: CurrentProcess.processID))
      // The client may not have received the reply in time.
      reply =
        try client.waitForStart(patience)
        ? .ended(code: body(command)) : .refused(.server("the client no longer waits for the command"))
    } catch { reply = .refused(.server("\(error)")) }
    client.releaseResources()
    client.isEnding.store(true, ordering: .releasing)
    try? client.reply(reply)
    client.lastReply.withLock { $0 = reply }
  }
}
