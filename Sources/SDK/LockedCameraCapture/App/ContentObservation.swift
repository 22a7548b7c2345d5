// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives
internal import Synchronization

/// The consumers of a manager's updates, for tests.
package struct ContentListeners: Hashable, Sendable {
  /// The number of consumers.
  package var consumers: Int
  /// Whether a thread watches the directory.
  package var isWatching: Bool

  /// Creates a description of the consumers.
  package init(consumers: Int, isWatching: Bool) {
    self.consumers = consumers
    self.isWatching = isWatching
  }
}

/// The distribution of content updates to all consumers of one manager.
///
/// One thread serves all consumers; it runs only while there is a consumer.
final class ContentObservation: Sendable {
  /// An update for a consumer.
  typealias Update = LockedCameraCaptureManager.SessionContentUpdate

  /// The directory that is observed.
  let content: ContentDirectory
  private let state = Mutex(State())

  /// The state that the lock protects.
  ///
  /// A consumer is registered and receives its first update under one lock, so that it misses no change in
  /// between.
  private struct State {
    var watch: ContentWatcher?
    var known = KnownContent([])
    var consumers: [UInt64: AsyncStream<Update>.Continuation] = [:]
    var lastConsumer: UInt64 = 0
  }

  /// Creates an observation of a directory; it starts with the first consumer.
  init(_ content: ContentDirectory) { self.content = content }

  /// Returns the updates for a new consumer, starting with the existing content.
  func updates() -> AsyncStream<Update> {
    let (stream, continuation) = AsyncStream.makeStream(of: Update.self)
    let number = state.withLock { state in
      if state.watch == nil { startWatching(&state) }
      state.lastConsumer += 1
      state.consumers[state.lastConsumer] = continuation
      continuation.yield(.initial(urls: state.known.names.map(content.url)))
      return state.lastConsumer
    }
    continuation.onTermination = { [self] _ in removeConsumer(number) }
    return stream
  }

  /// The number of consumers, and whether a thread serves them.
  var listeners: ContentListeners {
    state.withLock { ContentListeners(consumers: $0.consumers.count, isWatching: $0.watch != nil) }
  }

  private func removeConsumer(_ number: UInt64) {
    let ended = state.withLock { state -> ContentWatcher? in
      state.consumers[number] = nil
      guard state.consumers.isEmpty else { return nil }
      defer { state.watch = nil }
      return state.watch
    }
    ended?.stop()
  }

  /// Starts to watch, and then lists the directory.
  ///
  /// In this order, a change in between is seen twice instead of not at all.
  private func startWatching(_ state: inout State) {
    do throws(SystemCallError) {
      let run = try ContentWatcher(content)
      state.known = KnownContent((try? content.names()) ?? [])
      try run.start { [self] run, found in notifyConsumers(run, found) }
      state.watch = run
    } catch {
      // The sequence cannot throw; the next consumer tries again.
      CurrentProcess.writeToStandardError(
        "\(content.path) cannot be watched: \(error); stop processes of this user that watch many files"
      )
      state.known = KnownContent((try? content.names()) ?? [])
    }
  }

  /// Sends the findings of a run to its consumers, unless all of them have left.
  private func notifyConsumers(_ run: ContentWatcher, _ found: [ContentWatcher.Finding]) {
    state.withLock { state in
      guard state.watch === run else { return }
      for finding in found {
        for change in changes(finding, &state.known) {
          let update: Update =
            switch change {
            case .added(let name): .added(url: content.url(name))
            case .removed(let name): .removed(url: content.url(name))
            }
          for consumer in state.consumers.values { consumer.yield(update) }
        }
      }
    }
  }

  private func changes(_ finding: ContentWatcher.Finding, _ known: inout KnownContent) -> [KnownContent
    .Change]
  {
    switch finding {
    case .entryChanged(let name):
      // Checks the current state, because the name may have appeared and disappeared several times since the
      // event.
      guard let exists = try? content.contains(name) else { return [] }
      return [exists ? known.add(name) : known.remove(name)].compactMap(\.self)
    case .rescan:
      guard let present = try? content.names() else { return [] }
      return known.replace(with: present)
    }
  }
}
