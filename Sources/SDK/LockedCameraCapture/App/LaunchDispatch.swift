// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// Delivers each launch in the mailbox to one consumer in the app, exactly once.
///
/// A delivery stays in the mailbox until there is a consumer for it, so the mailbox is the only buffer. One
/// thread watches the mailbox while there are listeners. During that time `app.lock` is held, so that the
/// host does not start the app again.
final class LaunchDispatch: Sendable {
  /// A consumer of deliveries.
  private struct Taker {
    let number: UInt64
    /// Whether the consumer is removed after its first delivery.
    let isForOne: Bool
    let wants: @Sendable (AppDelivery) -> Bool
    /// Receives a delivery, or `nil` if none will come.
    let take: @Sendable (ClaimedDelivery?) -> Void
  }

  /// The state that the lock protects.
  private struct State {
    var listeners = 0
    var run: LaunchWatchRun?
    var takers: [Taker] = []
    var lastNumber: UInt64 = 0
    /// The one-shot consumers that were canceled before they were registered.
    var cancelled: Set<UInt64> = []

    /// Returns the index of the first consumer in `present` that accepts a delivery.
    func place(for delivery: AppDelivery, among present: Set<UInt64>) -> Int? {
      takers.firstIndex { present.contains($0.number) && $0.wants(delivery) }
    }
  }

  private let container: AppContainer
  private let mailbox: Mailbox
  private let state = Mutex(State())

  /// Creates the dispatch of an app's mailbox.
  init(_ container: AppContainer) {
    self.container = container
    mailbox = Mailbox(path: container.activitiesDirectory)
  }

  /// Adds a listener; the first one starts the thread.
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

  /// Removes a listener; the last one stops the thread.
  func leave() {
    let ended = state.withLock { state -> LaunchWatchRun? in
      state.listeners -= 1
      guard state.listeners == 0 else { return nil }
      defer { state.run = nil }
      return state.run
    }
    ended?.stop()
  }

  /// Registers a consumer that takes precedence over the callers of ``next()``.
  ///
  /// - Parameters:
  ///   - wants: Returns whether the consumer accepts a delivery.
  ///   - take: Receives each accepted delivery.
  /// - Returns: The number for ``unregister(_:)``.
  func register(
    _ wants: @escaping @Sendable (AppDelivery) -> Bool,
    _ take: @escaping @Sendable (ClaimedDelivery) -> Void
  ) -> UInt64 {
    enter()
    return state.withLock { state in
      state.lastNumber += 1
      let taker = Taker(number: state.lastNumber, isForOne: false, wants: wants) { $0.map(take) }
      // Consumers with a condition come first, in the order of their registration.
      let place = state.takers.firstIndex(where: \.isForOne) ?? state.takers.endIndex
      state.takers.insert(taker, at: place)
      state.run?.wake()
      return taker.number
    }
  }

  /// Removes a registered consumer.
  func unregister(_ number: UInt64) {
    let wasThere = state.withLock { state in
      let before = state.takers.count
      state.takers.removeAll { $0.number == number }
      return state.takers.count < before
    }
    if wasThere { leave() }
  }

  /// Returns the next delivery that no registered consumer accepts, or `nil` if the calling task is canceled.
  ///
  /// Call it only between ``enter()`` and ``leave()``.
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
        // The consumer is not registered yet, or was already served; then the number is not used again.
        state.cancelled.insert(number)
        return nil
      }
      return state.takers.remove(at: index)
    }
    taker?.take(nil)
  }

  /// Passes the pending deliveries to consumers; called only on the watching thread.
  private func distribute() {
    // A consumer that registers meanwhile has woken this thread again. Without this snapshot, that consumer
    // would get a later delivery instead of the first pending one.
    let present = state.withLock { Set($0.takers.map(\.number)) }
    guard !present.isEmpty else { return }
    for name in (try? mailbox.waiting()) ?? [] {
      guard let delivery = (try? mailbox.peek(name)) ?? nil, place(for: delivery, among: present) != nil,
        let claimed = (try? mailbox.claim(name)) ?? nil
      else { continue }
      // The consumer may have left meanwhile: then releasing the lock returns the delivery to the mailbox.
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
