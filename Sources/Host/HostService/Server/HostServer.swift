// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// The server of a state root. It accepts clients, runs each client's command on a separate thread, and
/// supervises both.
///
/// One loop runs on the thread that calls ``serve(until:)`` and never waits for a single client. Received
/// packets are complete or absent. A packet that cannot be sent at once ends the connection.
package final class HostServer {
  let terms: ServiceTerms
  let manager: ServiceManager
  var clients: [ServiceClientSeat] = []
  /// The server's credentials. Only clients with the same credentials are served.
  private(set) lazy var standing = ProcessStanding.of(CurrentProcess.processID)
  /// An event counter that threads signal when their command has exited.
  let ended: HeldDescriptor
  /// The null device, which replaces the streams of a client that disconnected or stalled.
  let nothing: Descriptor
  /// The time of the stop request, or `nil` before that.
  var stoppedAt: UInt64?
  private var seat: ServiceSeat?
  /// Whether the missing broker has been reported.
  private var isBrokerMissed = false
  /// The time until which no client is accepted because descriptors were exhausted.
  private var rest: UInt64 = 0
  private var nextSign: UInt64 = 0

  /// The pause after descriptors were exhausted, in nanoseconds.
  private static let restTime: UInt64 = 200_000_000
  /// The interval at which threads of disconnected clients are interrupted, in nanoseconds.
  static let nudgeTime: UInt64 = 100_000_000

  /// Creates a server with an acquired socket.
  package init(
    _ seat: consuming ServiceSeat,
    _ terms: ServiceTerms,
    manager: ServiceManager
  ) throws(SystemCallError) {
    self.terms = terms
    self.manager = manager
    ended = HeldDescriptor(try EventCounter.make())
    nothing = try FileSystem.open("/dev/null", .readWrite)
    self.seat = consume seat
  }

  /// Serves clients until a signal arrives at the `signals` descriptor and all commands have exited after
  /// that.
  package func serve(until signals: borrowing Descriptor) throws(SystemCallError) {
    ready()
    while stoppedAt == nil || !clients.isEmpty {
      let now = MonotonicClock.now
      let listens = stoppedAt == nil && rest <= now
      var watched: [(descriptor: Int32, interest: Readiness)] = [
        (signals.rawValue, .readable), (ended.rawValue, .readable),
        (listens ? listener : -1, .readable),
      ]
      let looked = clients
      watched += looked.map { ($0.watched, .readable) }
      let found = try Poller.wait(watched, until: deadline(after: now))
      if !found[0].isEmpty { try takeSignals(signals) }
      if !found[1].isEmpty { _ = try EventCounter.take(ended.descriptor) }
      for (seat, ready) in zip(looked, found.dropFirst(3)) where !ready.isEmpty && !seat.isDone { hear(seat) }
      clients.removeAll(where: \.isDone)
      passTime()
      if !found[2].isEmpty { takeClients() }
    }
    terms.tell(.stopped)
  }

  private var listener: Int32 { seat?.listener.rawValue ?? -1 }

  private func ready() {
    manager.tell(.ready)
    nextSign = manager.interval.map { MonotonicClock.now + $0 } ?? .max
    if let place = seat?.place {
      terms.tell(.ready(socket: place.socket, process: CurrentProcess.processID))
    }
  }

  private func deadline(after now: UInt64) -> UInt64? {
    var moments = clients.compactMap { $0.deadline(after: now) }
    if rest > now { moments.append(rest) }
    if nextSign != .max { moments.append(nextSign) }
    if stoppedAt != nil { moments.append(now + Self.nudgeTime) }
    return moments.min()
  }

  private func passTime() {
    let now = MonotonicClock.now
    lookAtBroker()
    if let interval = manager.interval, now >= nextSign {
      manager.tell(.alive)
      nextSign = now + interval
    }
    for seat in clients {
      if let stoppedAt {
        seat.command?.cutUnread(since: stoppedAt, at: now, patience: terms.stoppingPatience, with: nothing)
      }
      lookAfter(seat, at: now)
    }
    clients.removeAll(where: \.isDone)
  }

  /// Reports once that sessions start without a broker. The check runs at each event, and so after each
  /// command.
  private func lookAtBroker() {
    guard !isBrokerMissed, let fault = terms.supply().brokerFault else { return }
    isBrokerMissed = true
    terms.tell(.brokerless(fault))
  }

  /// Handles signals. The first stops the server. Each terminates the commands, because a session may need a
  /// second signal.
  ///
  /// Commands receive `SIGTERM` whatever the signal is, because a key at the server's terminal does not have
  /// the meaning of the same key at a client's terminal.
  private func takeSignals(_ signals: borrowing Descriptor) throws(SystemCallError) {
    while try SignalDescriptor.next(signals) != nil {
      if stoppedAt == nil { stop() }
      for seat in clients { seat.command?.pass(.terminate) }
    }
  }

  /// Stops accepting clients and removes the socket.
  private func stop() {
    stoppedAt = MonotonicClock.now
    manager.tell(.stopping)
    seat = nil
    for seat in clients where seat.command == nil { refuse(seat, .stopping) }
    clients.removeAll(where: \.isDone)
    terms.dismiss()
    terms.tell(.stopping(commands: clients.count { $0.farewell == nil }))
  }

  private func takeClients() {
    // The number per iteration is limited, so that many new clients do not delay existing ones.
    for _ in 0..<16 {
      do throws(SystemCallError) {
        guard let connection = try accept() else { return }
        take(HeldDescriptor(connection))
      } catch {
        rest = MonotonicClock.now + Self.restTime
        return
      }
    }
  }

  private func accept() throws(SystemCallError) -> Descriptor? {
    switch seat {
    case .some(let seat): try PacketSocket.accept(seat.listener)
    case .none: nil
    }
  }
}
