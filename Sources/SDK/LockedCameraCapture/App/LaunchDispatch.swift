// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// Gives what is in the mailbox to the app's code, each once.
///
/// Nothing is taken before there is somebody for it, so that the mailbox itself is the buffer. One thread waits for it,
/// while somebody listens; as long, `app.lock` is held, by which the host sees that it needs not start the app.
final class LaunchDispatch: Sendable {
  /// Somebody who takes deliveries.
  private struct Taker {
    let number: UInt64
    /// Whether it is gone after the first.
    let isForOne: Bool
    let wants: @Sendable (AppDelivery) -> Bool
    /// Nil: there will be none.
    let take: @Sendable (ClaimedDelivery?) -> Void
  }

  /// What the lock protects.
  private struct State {
    var listeners = 0
    var run: LaunchWatchRun?
    var takers: [Taker] = []
    var lastNumber: UInt64 = 0
    /// The takers for one that were cancelled before they were there.
    var cancelled: Set<UInt64> = []

    /// Where the first of some takers is that wants a delivery.
    func place(for delivery: AppDelivery, among present: Set<UInt64>) -> Int? {
      takers.firstIndex { present.contains($0.number) && $0.wants(delivery) }
    }
  }

  private let container: AppContainer
  private let mailbox: Mailbox
  private let state = Mutex(State())

  /// The dispatch of an app's mailbox.
  init(_ container: AppContainer) {
    self.container = container
    mailbox = Mailbox(path: container.activitiesDirectory)
  }

  /// Begins to listen, or listens once more.
  func enter() {
    state.withLock { state in
      state.listeners += 1
      guard state.run == nil else { return }
      do throws(SystemCallError) {
        let run = try LaunchWatchRun(container)
        try run.start { [self] in distribute() }
        state.run = run
      } catch {
        CurrentProcess.complain(
          "\(mailbox.path) cannot be watched: \(error); end what holds so many files open"
        )
      }
    }
  }

  /// Listens once less.
  func leave() {
    let ended = state.withLock { state -> LaunchWatchRun? in
      state.listeners -= 1
      guard state.listeners == 0 else { return nil }
      defer { state.run = nil }
      return state.run
    }
    ended?.stop()
  }

  /// Calls `take` for every delivery that it wants, before whoever wants just any; gives a number to end that with.
  func register(
    _ wants: @escaping @Sendable (AppDelivery) -> Bool,
    _ take: @escaping @Sendable (ClaimedDelivery) -> Void
  ) -> UInt64 {
    enter()
    return state.withLock { state in
      state.lastNumber += 1
      let taker = Taker(number: state.lastNumber, isForOne: false, wants: wants) { $0.map(take) }
      // Those for a certain kind come first, in their own order.
      let place = state.takers.firstIndex(where: \.isForOne) ?? state.takers.endIndex
      state.takers.insert(taker, at: place)
      state.run?.wake()
      return taker.number
    }
  }

  /// Ends a registration.
  func unregister(_ number: UInt64) {
    let wasThere = state.withLock { state in
      let before = state.takers.count
      state.takers.removeAll { $0.number == number }
      return state.takers.count < before
    }
    if wasThere { leave() }
  }

  /// The next delivery that nobody else wants; nil if the calling task is cancelled. Only between ``enter()`` and
  /// ``leave()``.
  func next() async -> ClaimedDelivery? {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in wait(number) { continuation.resume(returning: $0) } }
    } onCancel: {
      cancel(number)
    }
  }

  private func wait(_ number: UInt64, _ take: @escaping @Sendable (ClaimedDelivery?) -> Void) {
    let isCancelled = state.withLock { state in
      guard state.cancelled.remove(number) == nil else { return true }
      state.takers.append(Taker(number: number, isForOne: true, wants: { _ in true }, take: take))
      state.run?.wake()
      return false
    }
    if isCancelled { take(nil) }
  }

  private func cancel(_ number: UInt64) {
    let taker = state.withLock { state -> Taker? in
      guard let index = state.takers.firstIndex(where: { $0.number == number }) else {
        // Either not there yet, or served already; then nobody asks for this number any more.
        state.cancelled.insert(number)
        return nil
      }
      return state.takers.remove(at: index)
    }
    taker?.take(nil)
  }

  /// Gives out what is there, as far as there is somebody for it; called in the thread only.
  private func distribute() {
    // Who comes meanwhile has woken this thread again: they would get the next one, and not the first that waits.
    let present = state.withLock { Set($0.takers.map(\.number)) }
    guard !present.isEmpty else { return }
    for name in (try? mailbox.waiting()) ?? [] {
      guard let delivery = (try? mailbox.peek(name)) ?? nil, place(for: delivery, among: present) != nil,
        let claimed = (try? mailbox.claim(name)) ?? nil
      else { continue }
      // Whoever wanted it may have left meanwhile: then it is given back, by letting its lock go.
      let taker = state.withLock { state -> Taker? in
        guard let place = state.place(for: delivery, among: present) else { return nil }
        return state.takers[place].isForOne ? state.takers.remove(at: place) : state.takers[place]
      }
      taker?.take(claimed)
    }
  }

  private func place(for delivery: AppDelivery, among present: Set<UInt64>) -> Int? {
    state.withLock { $0.place(for: delivery, among: present) }
  }
}
