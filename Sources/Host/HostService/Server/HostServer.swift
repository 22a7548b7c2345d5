// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// The server of a state root. It accepts clients, runs each client's command on a separate thread, and
/// supervises both.
///
/// One loop runs on the thread that calls ``serve(until:)`` and never waits for a single client. Received
/// packets are complete or absent. A packet that cannot be sent at once ends the connection.
package final class HostServer {
  let configuration: ServiceConfiguration
  let manager: ServiceManager
  var clients: [ServiceConnection] = []
  /// The server's credentials. Only clients with the same credentials are served.
  private(set) lazy var credentials = ProcessAttributes.of(CurrentProcess.processID)
  /// Stops the server, and wakes its loop when a command has exited.
  let stopper: ServerStopper
  /// The null device, which replaces the streams of a client that disconnected or stalled.
  let nullDevice: Descriptor
  /// The time of the stop request, or `nil` before that.
  var stoppedAt: UInt64?
  private var endpoint: ServiceEndpoint?
  /// Whether the missing broker has been reported.
  private var hasReportedBrokerFault = false
  /// The time until which no client is accepted because descriptors were exhausted.
  private var pausedUntil: UInt64 = 0
  private var nextKeepalive: UInt64 = 0

  /// The pause after descriptors were exhausted, in nanoseconds.
  private static let acceptPause: UInt64 = 200_000_000
  /// The interval at which threads of disconnected clients are interrupted, in nanoseconds.
  static let nudgeInterval: UInt64 = 100_000_000

  /// Creates a server with an acquired socket.
  package init(
    _ seat: consuming ServiceEndpoint,
    _ terms: ServiceConfiguration,
    manager: ServiceManager,
    stopper: ServerStopper
  ) throws(SystemCallError) {
    self.configuration = terms
    self.manager = manager
    self.stopper = stopper
    nullDevice = try FileSystem.open("/dev/null", .readWrite)
    self.endpoint = consume seat
  }

  /// Serves clients until it is stopped or a signal arrives at the `signals` descriptor, and after that all
  /// commands have exited and the other services of the process have finished.
  package func serve(until signals: borrowing Descriptor) throws(SystemCallError) {
    ready()
    while stoppedAt == nil || !clients.isEmpty || !configuration.isFinished() {
      let now = MonotonicClock.now
      let listens = stoppedAt == nil && pausedUntil <= now
      var watched: [(descriptor: Int32, interest: Readiness)] = [
        (signals.rawValue, .readable), (stopper.event.rawValue, .readable),
        (listens ? listener : -1, .readable),
      ]
      let polledClients = clients
      watched += polledClients.map { ($0.watched, .readable) }
      let found = try Poller.wait(watched, until: deadline(after: now))
      if !found[0].isEmpty { try takeSignals(signals) }
      if !found[1].isEmpty { _ = try EventCounter.take(stopper.event.descriptor) }
      if stopper.isStopped, stoppedAt == nil { stopCommands() }
      for (seat, ready) in zip(polledClients, found.dropFirst(3)) where !ready.isEmpty && !seat.isDone {
        receive(seat)
      }
      clients.removeAll(where: \.isDone)
      handleTimers()
      if !found[2].isEmpty { acceptClients() }
    }
    configuration.tell(.stopped)
  }

  private var listener: Int32 { endpoint?.listener.rawValue ?? -1 }

  private func ready() {
    manager.notify(.ready)
    nextKeepalive = manager.interval.map { MonotonicClock.now + $0 } ?? .max
    if let place = endpoint?.place {
      configuration.tell(
        .ready(socket: place.socket, programs: configuration.programSocket, process: CurrentProcess.processID)
      )
    }
  }

  private func deadline(after now: UInt64) -> UInt64? {
    var deadlines = clients.compactMap { $0.deadline(after: now) }
    if pausedUntil > now { deadlines.append(pausedUntil) }
    if nextKeepalive != .max { deadlines.append(nextKeepalive) }
    if stoppedAt != nil { deadlines.append(now + Self.nudgeInterval) }
    return deadlines.min()
  }

  private func handleTimers() {
    let now = MonotonicClock.now
    checkBroker()
    if let interval = manager.interval, now >= nextKeepalive {
      manager.notify(.alive)
      nextKeepalive = now + interval
    }
    for seat in clients {
      if let stoppedAt {
        seat.command?.detachStalledStreams(
          since: stoppedAt,
          at: now,
          patience: configuration.stoppingTimeout,
          with: nullDevice
        )
      }
      updateState(seat, at: now)
    }
    clients.removeAll(where: \.isDone)
  }

  /// Reports once that sessions start without a broker. The check runs at each event, and so after each
  /// command.
  private func checkBroker() {
    guard !hasReportedBrokerFault, let fault = configuration.supply().brokerFault else { return }
    hasReportedBrokerFault = true
    configuration.tell(.brokerUnavailable(fault))
  }

  /// Handles signals. The first stops the server. Each terminates the commands, because a session may need a
  /// second signal.
  ///
  /// Commands receive `SIGTERM` whatever the signal is, because a key at the server's terminal does not have
  /// the meaning of the same key at a client's terminal.
  private func takeSignals(_ signals: borrowing Descriptor) throws(SystemCallError) {
    while try SignalDescriptor.next(signals) != nil {
      stopCommands()
    }
  }

  /// Stops the server, and terminates the commands.
  private func stopCommands() {
    if stoppedAt == nil { stop() }
    for seat in clients { seat.command?.forward(.terminate) }
  }

  /// Stops accepting clients and removes the socket.
  private func stop() {
    stoppedAt = MonotonicClock.now
    manager.notify(.stopping)
    endpoint = nil
    for seat in clients where seat.command == nil { refuse(seat, .stopping) }
    clients.removeAll(where: \.isDone)
    configuration.dismiss()
    configuration.tell(.stopping(commands: clients.count { $0.closeDeadline == nil }))
  }

  private func acceptClients() {
    // The number per iteration is limited, so that many new clients do not delay existing ones.
    for _ in 0..<16 {
      do throws(SystemCallError) {
        guard let connection = try accept() else { return }
        admit(HeldDescriptor(connection))
      } catch {
        pausedUntil = MonotonicClock.now + Self.acceptPause
        return
      }
    }
  }

  private func accept() throws(SystemCallError) -> Descriptor? {
    switch endpoint {
    case .some(let seat): try PacketSocket.accept(seat.listener)
    case .none: nil
    }
  }
}
