// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// A client of the loop.
final class ServiceClientSeat {
  /// The connection.
  let socket: HeldDescriptor
  /// Who made it.
  let peer: PacketPeer
  /// The process that made it, whoever has its number later.
  let process: ProcessHandle
  /// By when it has to have said what it wants.
  let patience: UInt64
  /// Why it will be turned away, whatever it wants; it is heard all the same, for the kernel throws away what was said to
  /// whoever still speaks when the connection is closed.
  let refusal: ServiceRefusal?
  /// Its command has ended: by when it has to have closed the connection, for the same reason; nil: it has not ended.
  var farewell: UInt64?
  /// Its command; nil: it has not said yet.
  var command: ServedClient?
  /// Whether the client has gone, before its command or with the answer, and nothing more is heard of it.
  var hasGone = false
  /// Whether nothing more is to be done for it.
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

  /// The descriptor to watch; that of a client that has gone would be ready for as long as it is looked at.
  var watched: Int32 { hasGone ? -1 : socket.rawValue }

  /// When it has to be looked at again.
  func deadline(after now: UInt64) -> UInt64? {
    if command == nil { return patience }
    if let farewell { return farewell }
    return hasGone ? now + HostServer.nudgeTime : nil
  }

  /// The command has ended; a client that has gone already need not close the connection.
  func bidFarewell(at now: UInt64, within patience: UInt64) { farewell = hasGone ? now : now + patience }
}

extension HostServer {
  /// Takes a client in, if it is this user. Root is another user than a server that is not root's, and is not served: it
  /// would be told by a server that it need not trust what became of its command.
  func take(_ socket: HeldDescriptor) {
    guard clients.count < terms.mostClients + terms.mostTurnedAway,
      let peer = try? PacketPeer.of(socket.descriptor),
      // Whoever has ended already wants nothing.
      let process = try? peer.handle(socket.descriptor)
    else { return }
    let refusal: ServiceRefusal? =
      peer.user != CurrentProcess.effectiveUserID
      ? .user : clients.count >= terms.mostClients ? .busy : nil
    let patience = MonotonicClock.now + terms.patience
    clients.append(ServiceClientSeat(socket, peer, process, patience: patience, refusal: refusal))
  }

  /// Leaves the client's command to it.
  func refuse(_ seat: ServiceClientSeat, _ refusal: ServiceRefusal) {
    try? PacketSocket.send(ServiceReply.refused(refusal).json.bytes(), over: seat.socket.descriptor)
    terms.tell(.refused(client: seat.peer.process, refusal))
    seat.isDone = true
  }

  /// Takes what a client has sent.
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
      // It may still have something to say, which interests nobody any more.
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

  /// A client that has gone, or speaks nonsense, has no command any more: it ends as if its terminal had been closed.
  private func abandon(_ seat: ServiceClientSeat) {
    guard let command = seat.command else { return }
    seat.hasGone = true
    // Whoever has the answer may go before the thread that has sent it is done: it tells when it is.
    guard !command.isEnding.load(ordering: .acquiring) else { return }
    command.giveUp()
    command.pass(.hangup)
    command.cut(with: nothing)
    terms.tell(.abandoned(client: seat.peer.process))
  }

  /// Does what time brings.
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

  /// In what a client stands otherwise than the server, which would do for it what it could not do itself, or could do
  /// otherwise; nil: in nothing.
  private func difference(_ seat: ServiceClientSeat) -> String? {
    guard let own = standing else { return "what /proc says of the server" }
    guard let other = ProcessStanding.of(seat.peer.process) else { return "what /proc says of it" }
    // Only now is it known that the number was the client's when it was looked at.
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

  /// What the thread of a command does: it takes the client's place, does what is to be done, and lets go of everything
  /// before it says so: whoever waits for the end of the client's output is not kept waiting.
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
      // What the client was told it may never have heard.
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
