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
  private struct Receiver {
    let number: UInt64
    /// Whether the consumer is removed after its first delivery.
    let isOneShot: Bool
    let accepts: @Sendable (AppDelivery) -> Bool
    /// Receives a delivery, or `nil` if none will come.
    let receive: @Sendable (ClaimedDelivery?) -> Void
  }

  /// The state that the lock protects.
  private struct State {
    var listeners = 0
    var run: MailboxWatcher?
    var receivers: [Receiver] = []
    var lastNumber: UInt64 = 0
    /// The number of deliveries that are being claimed, or that their consumers have not received yet.
    var deliveriesInProgress = 0
    /// The one-shot consumers that were canceled before they were registered.
    var cancelled: Set<UInt64> = []

    /// Returns the index of the first consumer in `present` that accepts a delivery.
    func index(for delivery: AppDelivery, among present: Set<UInt64>) -> Int? {
      receivers.firstIndex { present.contains($0.number) && $0.accepts(delivery) }
    }

    /// Returns whether a registered consumer or an iteration of this process accepts a delivery.
    func accepts(_ delivery: AppDelivery) -> Bool {
      let registered = receivers.filter { !$0.isOneShot }
      // Each further listener is an iteration, which accepts every delivery.
      return listeners > registered.count || registered.contains { $0.accepts(delivery) }
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
  func startListening() {
    state.withLock { state in
      state.listeners += 1
      guard state.run == nil else { return }
      do throws(SystemCallError) {
        let run = try MailboxWatcher(container)
        try run.start { [self] in distribute() }
        state.run = run
      } catch {
        CurrentProcess.writeToStandardError(
          "\(mailbox.path) cannot be watched: \(error); stop processes of this user that watch many files"
        )
      }
    }
  }

  /// Removes a listener; the last one stops the thread.
  func stopListening() {
    let ended = state.withLock { state -> MailboxWatcher? in
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
  ///   - accepts: Returns whether the consumer accepts a delivery.
  ///   - receive: Receives each accepted delivery.
  /// - Returns: The number for ``unregister(_:)``.
  func register(
    _ accepts: @escaping @Sendable (AppDelivery) -> Bool,
    _ receive: @escaping @Sendable (ClaimedDelivery) -> Void
  ) -> UInt64 {
    startListening()
    return state.withLock { state in
      state.lastNumber += 1
      let receiver = Receiver(number: state.lastNumber, isOneShot: false, accepts: accepts) {
        $0.map(receive)
      }
      // Consumers with a condition come first, in the order of their registration.
      let index = state.receivers.firstIndex(where: \.isOneShot) ?? state.receivers.endIndex
      state.receivers.insert(receiver, at: index)
      state.run?.wake()
      return receiver.number
    }
  }

  /// Removes a registered consumer.
  func unregister(_ number: UInt64) {
    let wasRegistered = state.withLock { state in
      let before = state.receivers.count
      state.receivers.removeAll { $0.number == number }
      return state.receivers.count < before
    }
    if wasRegistered { stopListening() }
  }

  /// Returns the next delivery that no registered consumer accepts, or `nil` if the calling task is canceled.
  ///
  /// Call it only between ``startListening()`` and ``stopListening()``.
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

  private func wait(_ number: UInt64, _ receive: @escaping @Sendable (ClaimedDelivery?) -> Void) {
    let isCancelled = state.withLock { state in
      guard state.cancelled.remove(number) == nil else { return true }
      state.receivers.append(
        Receiver(number: number, isOneShot: true, accepts: { _ in true }, receive: receive)
      )
      state.run?.wake()
      return false
    }
    if isCancelled { receive(nil) }
  }

  private func cancel(_ number: UInt64) {
    let receiver = state.withLock { state -> Receiver? in
      guard let index = state.receivers.firstIndex(where: { $0.number == number }) else {
        // The consumer is not registered yet, or was already served; then the number is not used again.
        state.cancelled.insert(number)
        return nil
      }
      return state.receivers.remove(at: index)
    }
    receiver?.receive(nil)
  }

  /// Returns whether a delivery for a consumer of this process is stored, or claimed and not received yet.
  func hasPendingDeliveries() -> Bool {
    // The files first: a delivery is counted before its file is renamed and removed.
    for name in (try? mailbox.pendingNames()) ?? [] {
      guard let delivery = (try? mailbox.peek(name)) ?? nil else { continue }
      if state.withLock({ $0.accepts(delivery) }) { return true }
    }
    return state.withLock { $0.deliveriesInProgress > 0 }
  }

  /// Records that a consumer has received a claimed delivery, or has returned it to the mailbox.
  func endDelivery() { state.withLock { $0.deliveriesInProgress -= 1 } }

  /// Passes the pending deliveries to consumers; called only on the watching thread.
  ///
  /// Each consumer calls ``endDelivery()`` after it has received its delivery.
  private func distribute() {
    // A consumer that registers meanwhile has woken this thread again. Without this snapshot, that consumer
    // would get a later delivery instead of the first pending one.
    let present = state.withLock { Set($0.receivers.map(\.number)) }
    guard !present.isEmpty else { return }
    for name in (try? mailbox.pendingNames()) ?? [] {
      guard let delivery = (try? mailbox.peek(name)) ?? nil, index(for: delivery, among: present) != nil
      else { continue }
      // Before the file is renamed: during a rename, a list of the directory can lack the file.
      state.withLock { $0.deliveriesInProgress += 1 }
      if !passOn(name, delivery, among: present) { endDelivery() }
    }
  }

  /// Claims a delivery and passes it to its consumer. Returns false if the delivery stays in the mailbox.
  private func passOn(_ name: String, _ delivery: AppDelivery, among present: Set<UInt64>) -> Bool {
    guard let claimed = (try? mailbox.claim(name)) ?? nil else { return false }
    // The consumer may have left meanwhile: then releasing the lock returns the delivery to the mailbox.
    let receiver = state.withLock { state -> Receiver? in
      guard let index = state.index(for: delivery, among: present) else { return nil }
      return state.receivers[index].isOneShot ? state.receivers.remove(at: index) : state.receivers[index]
    }
    receiver?.receive(claimed)
    return receiver != nil
  }

  private func index(for delivery: AppDelivery, among present: Set<UInt64>) -> Int? {
    state.withLock { $0.index(for: delivery, among: present) }
  }
}
