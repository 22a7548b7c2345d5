// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// A client of the server, and the state of its connection.
final class ServiceClientSeat {
  /// The connected socket.
  let socket: HeldDescriptor
  /// The credentials of the process that connected.
  let peer: PacketPeer
  /// A handle of the process that connected, which stays valid if its PID is reused.
  let process: ProcessHandle
  /// The deadline for the client's request (``MonotonicClock``).
  let patience: UInt64
  /// The reason why the client will be refused, or `nil`. Its request is read anyway: if a socket is closed
  /// with unread data, the kernel discards the reply.
  let refusal: ServiceRefusal?
  /// The deadline for the client to close the connection after its command has exited, or `nil` before that.
  /// The server waits so that the kernel does not discard the reply.
  var farewell: UInt64?
  /// The client's command, or `nil` before the request was received.
  var command: ServedClient?
  /// Whether the client disconnected before its command exited, or after the final reply. Nothing more is
  /// read from it.
  var hasGone = false
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
    self.patience = patience
    self.refusal = refusal
  }

  /// The descriptor to poll, or -1 for a disconnected client, whose socket would always be ready.
  var watched: Int32 { hasGone ? -1 : socket.rawValue }

  /// Returns the time of the next update of this client, or `nil` if it only waits for input.
  func deadline(after now: UInt64) -> UInt64? {
    if command == nil { return patience }
    if let farewell { return farewell }
    return hasGone ? now + HostServer.nudgeTime : nil
  }

  /// Starts the wait for the client to close the connection. A disconnected client need not close it.
  func bidFarewell(at now: UInt64, within patience: UInt64) { farewell = hasGone ? now : now + patience }
}

extension HostServer {
  /// Accepts a client that has the server's UID. Clients with other UIDs are refused; this includes root.
  ///
  /// Root must not rely on an unprivileged server's report about its command.
  func take(_ socket: HeldDescriptor) {
    guard clients.count < terms.mostClients + terms.mostTurnedAway,
      let peer = try? PacketPeer.of(socket.descriptor),
      // A client that has already exited is ignored.
      let process = try? peer.handle(socket.descriptor)
    else { return }
    let refusal: ServiceRefusal? =
      peer.user != CurrentProcess.effectiveUserID
      ? .user : clients.count >= terms.mostClients ? .busy : nil
    let patience = MonotonicClock.now + terms.patience
    clients.append(ServiceClientSeat(socket, peer, process, patience: patience, refusal: refusal))
  }

  /// Refuses a client, which then runs its command itself.
  func refuse(_ seat: ServiceClientSeat, _ refusal: ServiceRefusal) {
    try? PacketSocket.send(ServiceReply.refused(refusal).json.bytes(), over: seat.socket.descriptor)
    terms.tell(.refused(client: seat.peer.process, refusal))
    seat.isDone = true
  }

  /// Receives a packet from a client.
  func hear(_ seat: ServiceClientSeat) {
    let limit = seat.command == nil ? ServiceRequest.mostBytes : ServiceNote.mostBytes
    let arrival = try? PacketSocket.receive(limit: limit, from: seat.socket.descriptor)
    guard let command = seat.command else {
      switch arrival {
      case .nothing: return
      case .packet(let packet): answer(packet, of: seat)
      case .tooLarge: refuse(seat, seat.refusal ?? .malformed)
      case .end, nil: seat.isDone = true
      }
      return
    }
    guard seat.farewell == nil else {
      // Packets after the end of the command are discarded.
      switch arrival {
      case .nothing, .packet, .tooLarge: return
      case .end, nil: seat.isDone = true
      }
      return
    }
    switch arrival {
    case .nothing: return
    case .packet(let packet):
      guard packet.descriptors.isEmpty, let note = ServiceNote(packet.bytes) else { return abandon(seat) }
      switch note {
      case .begin: command.want()
      case .signal(let signal): command.pass(signal)
      case .suspended: command.isSuspended.store(true, ordering: .releasing)
      case .resumed: command.isSuspended.store(false, ordering: .releasing)
      }
    case .tooLarge, .end, nil: abandon(seat)
    }
  }

  /// Abandons the command of a client that disconnected or sent an invalid message. The command ends as if
  /// its terminal had been closed.
  private func abandon(_ seat: ServiceClientSeat) {
    guard let command = seat.command else { return }
    seat.hasGone = true
    // A client may disconnect after the final reply, before the thread that sent the reply has finished. The
    // thread reports its end.
    guard !command.isEnding.load(ordering: .acquiring) else { return }
    command.giveUp()
    command.pass(.hangup)
    command.cut(with: nothing)
    terms.tell(.abandoned(client: seat.peer.process))
  }

  /// Handles timeouts and the end of the client's command.
  func lookAfter(_ seat: ServiceClientSeat, at now: UInt64) {
    guard let command = seat.command else {
      if now >= seat.patience { seat.isDone = true }
      return
    }
    if let farewell = seat.farewell {
      if now >= farewell || seat.hasGone { seat.isDone = true }
      return
    }
    switch command.lastReply.withLock({ $0 }) {
    case nil: if seat.hasGone { command.cut(with: nothing) }
    case .refused(let refusal):
      terms.tell(.refused(client: seat.peer.process, refusal))
      seat.bidFarewell(at: now, within: terms.farewell)
    case .ended(let code):
      terms.tell(.ended(client: seat.peer.process, code: code))
      seat.bidFarewell(at: now, within: terms.farewell)
    case .accepted, .state: seat.isDone = true
    }
  }

  private func answer(_ packet: PacketSocket.Packet, of seat: ServiceClientSeat) {
    if let refusal = seat.refusal { return refuse(seat, refusal) }
    guard let request = ServiceRequest.read(packet.bytes) else { return refuse(seat, .malformed) }
    guard request.version == terms.version else { return refuse(seat, .version(terms.version)) }
    switch request.wish {
    case .run(let call): run(call, packet.descriptors, for: seat)
    case .state:
      let state = ServiceState(
        version: terms.version,
        process: CurrentProcess.processID,
        commands: clients.count { $0.command != nil && $0.farewell == nil },
        supply: terms.supply(),
        difference: difference(seat)
      )
      try? PacketSocket.send(ServiceReply.state(state).json.bytes(), over: seat.socket.descriptor)
      seat.isDone = true
    case nil: refuse(seat, .malformed)
    }
  }

  /// Returns the first difference between the credentials of a client and of the server, or `nil` if they are
  /// the same.
  ///
  /// With different credentials the server could perform operations for the client that the client itself
  /// could not, or with other results.
  private func difference(_ seat: ServiceClientSeat) -> String? {
    guard let own = standing else { return "what /proc says of the server" }
    guard let other = ProcessStanding.of(seat.peer.process) else { return "what /proc says of it" }
    // If the client is still running, its PID cannot have been reused before it was inspected.
    let handle = seat.process.descriptor.rawValue
    guard let ended = try? Poller.wait([(handle, .readable)], until: 0), ended[0].isEmpty else {
      return "that it has ended"
    }
    return own.difference(to: other)
  }

  private func run(
    _ call: ServiceRequest.Call,
    _ descriptors: [HeldDescriptor],
    for seat: ServiceClientSeat
  ) {
    let wanted = ServiceRequest.leastDescriptors + (call.terminal == .given ? 1 : 0)
    guard descriptors.count == wanted else { return refuse(seat, .malformed) }
    let name: String
    do throws(ServiceRefusal) { name = try terms.name(call) } catch { return refuse(seat, error) }
    if let difference = difference(seat) { return refuse(seat, .unlike(difference)) }
    do throws(SystemCallError) {
      let client = try ServedClient(seat.socket, process: seat.peer.process, descriptors)
      let (perform, ended, patience) = (terms.perform, ended, terms.patience)
      _ = try PlainThread.start(name: "served") {
        Self.perform(ServedCommand(call, client), client, patience, perform)
        try? EventCounter.add(to: ended.descriptor)
      }
      seat.command = client
      terms.tell(.accepted(client: seat.peer.process, command: name))
    } catch { refuse(seat, .server("\(error)")) }
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
      try ThreadPlace.take(directory: directory, mask: command.call.mask)
      try ThreadPlace.takeProcessors(of: client.process)
      try client.reply(.accepted(process: CurrentProcess.processID))
      // The client may not have received the reply in time.
      reply =
        try client.awaitWish(patience)
        ? .ended(code: body(command)) : .refused(.server("nobody wants it any more"))
    } catch { reply = .refused(.server("\(error)")) }
    client.letGo()
    client.isEnding.store(true, ordering: .releasing)
    try? client.reply(reply)
    client.lastReply.withLock { $0 = reply }
  }
}
