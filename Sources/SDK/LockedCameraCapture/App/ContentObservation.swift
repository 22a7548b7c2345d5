// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives
internal import Synchronization

/// Who listens to the updates of a manager.
package struct ContentListeners: Hashable, Sendable {
  /// How many listen.
  package var consumers: Int
  /// Whether there is a thread for them.
  package var isWatching: Bool

  /// Describes listeners.
  package init(consumers: Int, isWatching: Bool) {
    self.consumers = consumers
    self.isWatching = isWatching
  }
}

/// Tells all consumers of one manager what content comes and goes.
///
/// One thread serves them all; it is there only while somebody listens.
final class ContentObservation: Sendable {
  /// What a consumer is given.
  typealias Update = LockedCameraCaptureManager.SessionContentUpdate

  /// The directory that is observed.
  let content: ContentDirectory
  private let state = Mutex(State())

  /// What the lock protects. A consumer's first update and its place among the others are made under it together, so
  /// that no change falls between the two.
  private struct State {
    var watch: ContentWatchRun?
    var known = KnownContent([])
    var consumers: [UInt64: AsyncStream<Update>.Continuation] = [:]
    var lastConsumer: UInt64 = 0
  }

  /// Observes a directory, from when somebody listens.
  init(_ content: ContentDirectory) { self.content = content }

  /// The updates for one more consumer, beginning with what is there.
  func updates() -> AsyncStream<Update> {
    let (stream, continuation) = AsyncStream.makeStream(of: Update.self)
    let number = state.withLock { state in
      if state.watch == nil { begin(&state) }
      state.lastConsumer += 1
      state.consumers[state.lastConsumer] = continuation
      continuation.yield(.initial(urls: state.known.names.map(content.url)))
      return state.lastConsumer
    }
    continuation.onTermination = { [self] _ in leave(number) }
    return stream
  }

  /// How many listen, and whether there is a thread for them.
  var listeners: ContentListeners {
    state.withLock { ContentListeners(consumers: $0.consumers.count, isWatching: $0.watch != nil) }
  }

  private func leave(_ number: UInt64) {
    let ended = state.withLock { state -> ContentWatchRun? in
      state.consumers[number] = nil
      guard state.consumers.isEmpty else { return nil }
      defer { state.watch = nil }
      return state.watch
    }
    ended?.stop()
  }

  /// Starts to watch, and looks at what is there; in this order, so that what comes between is seen twice.
  private func begin(_ state: inout State) {
    do throws(SystemCallError) {
      let run = try ContentWatchRun(content)
      state.known = KnownContent((try? content.names()) ?? [])
      try run.start { [self] run, found in tell(run, found) }
      state.watch = run
    } catch {
      // The sequence cannot fail; the next consumer tries again.
      CurrentProcess.complain(
        "\(content.path) cannot be watched: \(error); end what holds so many files open"
      )
      state.known = KnownContent((try? content.names()) ?? [])
    }
  }

  /// Passes on what a run has found, unless its consumers have all left.
  private func tell(_ run: ContentWatchRun, _ found: [ContentWatchRun.Finding]) {
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

  private func changes(_ finding: ContentWatchRun.Finding, _ known: inout KnownContent) -> [KnownContent
    .Change]
  {
    switch finding {
    case .touched(let name):
      // As it is now, and not as the event says: a name may have come and gone several times since.
      guard let isThere = try? content.contains(name) else { return [] }
      return [isThere ? known.add(name) : known.remove(name)].compactMap(\.self)
    case .anything:
      guard let present = try? content.names() else { return [] }
      return known.replace(with: present)
    }
  }
}
