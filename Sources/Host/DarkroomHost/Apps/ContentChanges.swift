// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// The changes of an app's content. The first change is always ``Change/initial(_:)``.
public struct ContentChanges: AsyncSequence, Sendable {
  /// A change of the content.
  public enum Change: Sendable, Hashable {
    /// The content that the consumer already knows. For an unnamed consumer, this is all present content.
    case initial([AppContent.Delivery])
    /// The content of a session has been delivered completely.
    case added(AppContent.Delivery)
    /// The content of a session has been removed.
    case removed(session: String)
  }

  private let app: AppStore
  private let consumer: String?

  /// Creates the changes of an app's content for a consumer.
  init(_ app: AppStore, _ consumer: String?) { (self.app, self.consumer) = (app, consumer) }

  /// Creates an iterator, which starts to watch at its first call.
  public func makeAsyncIterator() -> Iterator { Iterator(app, consumer) }

  /// An iterator over the changes.
  ///
  /// A change counts as delivered when the next one is requested. If the process dies before that, a named
  /// consumer receives the change again.
  public struct Iterator: AsyncIteratorProtocol {
    private let watcher: ContentWatcher

    /// Creates an iterator.
    fileprivate init(_ app: AppStore, _ consumer: String?) { watcher = ContentWatcher(app, consumer) }

    /// Waits for the next change. Returns `nil` when the task is cancelled.
    ///
    /// - Throws: A ``HostError`` if the content cannot be watched, or another process uses the name of the
    ///   consumer.
    public mutating func next() async throws(HostError) -> Change? { try await watcher.next() }
  }
}

/// A thread that watches the content of an app. It waits while no change is requested.
private final class ContentWatcher: Sendable {
  /// The state that the thread and the iterating task share.
  private struct State: Sendable {
    /// Whether the task waits for a change.
    var isRequested = false
    /// The change for the task, or the error that ended the thread.
    var answer: Result<ContentChanges.Change, HostError>?
    /// Whether the thread was started.
    var isStarted = false
    /// Whether the thread must exit.
    var isStopped = false
  }

  /// The parts that outlive the iterator until the thread has exited.
  private final class Exchange: Sendable {
    let state = WatchedValue(State())
    /// Wakes the thread, because a change is requested or the iterator was released.
    let event: HeldDescriptor?

    init() {
      do { event = HeldDescriptor(try EventCounter.make()) } catch { event = nil }
    }

    func wake() { if let event { try? EventCounter.add(to: event.descriptor) } }
  }

  private let app: AppStore
  private let consumer: String?
  private let exchange = Exchange()

  init(_ app: AppStore, _ consumer: String?) { (self.app, self.consumer) = (app, consumer) }

  deinit {
    exchange.state.change { $0.isStopped = true }
    exchange.wake()
  }

  /// Requests the next change and waits for it.
  func next() async throws(HostError) -> ContentChanges.Change? {
    let isFirst = exchange.state.change { state in
      defer { state.isStarted = true }
      // A change that arrived after the cancellation of an earlier request is the answer to this one.
      if state.answer == nil { state.isRequested = true }
      return !state.isStarted
    }
    if isFirst { try start() }
    exchange.wake()
    let answer = await exchange.state.next { state -> Result<ContentChanges.Change, HostError>? in
      defer { if case .success = state.answer { state.answer = nil } }
      return state.answer
    }
    return try answer?.get()
  }

  private func start() throws(HostError) {
    let (app, consumer, exchange) = (app, consumer, exchange)
    do throws(SystemCallError) {
      _ = try PlainThread.start(name: "content-watch") {
        do throws(StoreError) { try Self.watch(app, consumer, exchange) } catch {
          exchange.state.change { $0.answer = .failure(HostError(error)) }
        }
      }
    } catch { throw HostError(error) }
  }

  /// Answers requests until the iterator is released.
  private static func watch(_ app: AppStore, _ consumer: String?, _ exchange: Exchange) throws(StoreError) {
    guard let event = exchange.event else { throw .system(SystemCallError("eventfd")) }
    var watch = try ContentWatch(app, consumer: consumer)
    while true {
      let state = exchange.state.current
      if state.isStopped { return }
      if state.isRequested, state.answer == nil, let update = try watch.next(until: MonotonicClock.now) {
        exchange.state.change { state in
          (state.answer, state.isRequested) = (.success(.init(update)), false)
        }
        continue
      }
      do throws(SystemCallError) {
        // Without a request, changes wait in the kernel.
        let descriptor = state.isRequested ? watch.descriptor : -1
        _ = try Poller.wait([(event.rawValue, .readable), (descriptor, .readable)])
        _ = try EventCounter.take(event.descriptor)
      } catch { throw .system(error) }
    }
  }
}

extension ContentChanges.Change {
  /// Creates a change from an update of the store.
  fileprivate init(_ update: ContentUpdate) {
    switch update {
    case .initial(let sessions): self = .initial(sessions.map(AppContent.Delivery.init))
    case .added(let session): self = .added(AppContent.Delivery(session))
    case .removed(let id): self = .removed(session: id.description)
    }
  }
}
