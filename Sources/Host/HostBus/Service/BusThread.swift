// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The thread that owns the connection to the bus.
///
/// Only one thread at a time uses the service: the caller of ``start()`` until the thread of the bus is
/// created, and that thread afterwards.
final class BusThread: @unchecked Sendable {
  private let service: BusService
  private let mailbox: BusMailbox
  private let ended: AsyncStream<String>.Continuation
  private let state = Mutex(State())

  /// The state that other threads can read.
  private struct State {
    /// A phase of the thread.
    enum Phase {
      /// The thread does not exist yet.
      case idle
      /// The thread runs.
      case running
      /// The service has ended.
      case finished
    }

    var phase = Phase.idle
    /// The tasks that wait for the end of the service.
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Creates the thread of a service.
  init(_ service: BusService, _ ended: AsyncStream<String>.Continuation) {
    (self.service, mailbox, self.ended) = (service, service.mailbox, ended)
  }

  /// Acquires the bus name, and starts the thread.
  func start() throws(HostBusError) {
    do throws(SystemCallError) {
      // The bus sends this signal for each name that loses its owner, including the unique names of clients.
      try service.bus?.match(
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
          + "member='NameOwnerChanged',arg2=''"
      )
      try service.bus?.requestName(service.name)
    } catch {
      throw error.errno == .fileExists ? .nameOwned(service.name) : .bus(error)
    }
    service.start()
    state.withLock { $0.phase = .running }
    do throws(SystemCallError) { _ = try PlainThread.start(name: "host-bus") { self.run() } } catch {
      finish(nil)
      throw .system(error)
    }
  }

  /// Stops the service, and waits for its end.
  func stop() async {
    guard state.withLock({ $0.phase == .running }) else { return }
    mailbox.post(.stop)
    await withCheckedContinuation { continuation in
      let isFinished = state.withLock { state in
        if state.phase == .running { state.waiters.append(continuation) }
        return state.phase != .running
      }
      if isFinished { continuation.resume() }
    }
  }

  /// Handles messages and events until the service has ended.
  private func run() {
    while true {
      for event in mailbox.take() { service.handle(event) }
      service.receiveMessages()
      if case .finished(let reason) = service.phase { return finish(reason) }
      wait()
    }
  }

  /// Waits for a message or an event.
  private func wait() {
    let bus = service.bus
    let watched: [(descriptor: Int32, interest: Readiness)] = [
      (mailbox.descriptor, .readable), (bus?.descriptor ?? -1, bus?.interest ?? []),
    ]
    do throws(SystemCallError) { _ = try Poller.wait(watched, until: bus?.deadline) } catch {
      service.close(reason: "\(error)")
      // Do not use all processor time if waiting fails again.
      MonotonicClock.sleep(milliseconds: 100)
    }
  }

  /// Reports the end of the service.
  private func finish(_ reason: String?) {
    if let reason { ended.yield(reason) }
    ended.finish()
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.phase = .finished
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
