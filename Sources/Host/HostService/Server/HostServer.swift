// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// The server of a state root: takes clients, runs each one's command in a thread of its own, and looks after both.
///
/// One loop on the thread that calls ``serve(until:)``. It never waits for a client: what a client sends is whole or not
/// there, what it is sent has room or is the end of it.
package final class HostServer {
  let terms: ServiceTerms
  let manager: ServiceManager
  var clients: [ServiceClientSeat] = []
  /// The server stands like its clients, or they are not served.
  private(set) lazy var standing = ProcessStanding.of(CurrentProcess.processID)
  /// Told by threads whose command has ended.
  let ended: HeldDescriptor
  /// What is given to commands in the place of a client's streams.
  let nothing: Descriptor
  /// When the order to stop came; nil: it has not.
  var stoppedAt: UInt64?
  private var seat: ServiceSeat?
  /// Whether it was told that there is no broker.
  private var isBrokerMissed = false
  /// No client is taken before this time: there were no descriptors.
  private var rest: UInt64 = 0
  private var nextSign: UInt64 = 0

  /// How long no client is taken when there are no descriptors, in nanoseconds.
  private static let restTime: UInt64 = 200_000_000
  /// How often threads are nudged whose client has gone, in nanoseconds.
  static let nudgeTime: UInt64 = 100_000_000

  /// A server at a place that was taken.
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

  /// Serves until `signals`, which brings the signals of this process, has one, and every command has ended after that.
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

  /// Tells once that sessions begin without a broker. It is looked at whenever something happens, so after each command.
  private func lookAtBroker() {
    guard !isBrokerMissed, let fault = terms.supply().brokerFault else { return }
    isBrokerMissed = true
    terms.tell(.brokerless(fault))
  }

  /// The first signal stops the server, and for each the commands are told to end: a session may want a second one. What a
  /// person types at the server's terminal is not what they type at a client's, which may be for the program there.
  private func takeSignals(_ signals: borrowing Descriptor) throws(SystemCallError) {
    while try SignalDescriptor.next(signals) != nil {
      if stoppedAt == nil { stop() }
      for seat in clients { seat.command?.pass(.terminate) }
    }
  }

  /// Takes no more clients; nobody finds the server any more.
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
    // A bounded number: a flood must not keep the others from being heard.
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
