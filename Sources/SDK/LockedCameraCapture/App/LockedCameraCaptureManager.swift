// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives
internal import Synchronization

/// The app's side of capture: what its extensions have left, and how it hears that it is opened.
///
/// Names and shapes are Apple's. A process is an app's if it has `DARKROOM_APP_CONTAINER`, or `DARKROOM_ROOT` and
/// `DARKROOM_APP_ID`, in its environment; in any other there is nothing to see, and nothing ever comes. All members may
/// be used in any thread.
public final class LockedCameraCaptureManager: Sendable {
  /// The manager of the app that this process is.
  public static let shared = LockedCameraCaptureManager(AppContainer(environment: CurrentProcess.environment))

  /// A session directory came or went.
  public enum SessionContentUpdate: Sendable, Hashable {
    /// The directories that are there; the first update, once, also when there are none.
    case initial(urls: [URL])
    /// A directory is there now, complete.
    case added(url: URL)
    /// A directory is gone, whoever has removed it.
    case removed(url: URL)
  }

  /// The places of the app; nil in a process that is none.
  let container: AppContainer?
  /// The observation that all consumers share; nil in a process that is no app.
  let observation: ContentObservation?
  /// The mailbox that all consumers share; nil in a process that is no app.
  let dispatch: LaunchDispatch?
  /// What delays the app's appearance, while it does.
  private let delay = Mutex<FileLock?>(nil)

  /// The manager of another app than this process's, by the directory that holds its `SessionContent`; for tests.
  public convenience init(container: URL) {
    self.init(AppContainer(path: container.path(percentEncoded: false)))
  }

  /// The manager of a container.
  private init(_ container: AppContainer?) {
    self.container = container
    observation = container.map { ContentObservation(ContentDirectory(path: $0.contentDirectory)) }
    dispatch = container.map(LaunchDispatch.init)
  }

  /// The content directories that are there, the oldest first: one a session, not one a picture.
  ///
  /// Every one is complete and nobody writes to it any more; a session that left no file has none. Prefer
  /// ``sessionContentUpdates``, which also tells what comes later.
  public var sessionContentURLs: [URL] {
    guard let container else { return [] }
    let content = ContentDirectory(path: container.contentDirectory)
    return ((try? content.names()) ?? []).map(content.url)
  }

  /// What comes and goes, beginning with ``SessionContentUpdate/initial(urls:)``; it never ends and never fails.
  ///
  /// Each iteration has an `.initial` of its own and then sees every change once; any number may iterate at once.
  public var sessionContentUpdates: some AsyncSequence<SessionContentUpdate, Never> {
    SessionContentUpdates(observation: observation)
  }

  /// Who listens to ``sessionContentUpdates``; for tests.
  package var listeners: ContentListeners {
    observation?.listeners ?? ContentListeners(consumers: 0, isWatching: false)
  }

  /// Deletes a session's content: call it when everything in it is where it belongs.
  ///
  /// A URL that is not of ``sessionContentURLs`` or ``sessionContentUpdates``, or whose directory somebody else has
  /// removed, is ignored. When this returns the content stays gone, also after a power failure, and every consumer is
  /// told `.removed`. Throws what the kernel has refused.
  public func invalidateSessionContent(at url: URL) async throws {
    try await invalidateContent(at: url)
  }

  /// Asks the host not to show the app yet, while it prepares what the person is about to see.
  ///
  /// Call it as early as possible; the host waits for ``endDelayingAppearance()`` or the end of the process, and at most
  /// one second. Calling it again changes nothing.
  public func beginDelayingAppearance() {
    guard let container else { return }
    delay.withLock { held in
      if held == nil { held = (try? FileLock.tryLock(container.appearanceLock)) ?? nil }
    }
  }

  /// Lets the host show the app.
  public func endDelayingAppearance() { delay.withLock { $0 = nil } }
}

/// The updates of a manager's content; see ``LockedCameraCaptureManager/sessionContentUpdates``.
struct SessionContentUpdates: AsyncSequence, Sendable {
  typealias Element = LockedCameraCaptureManager.SessionContentUpdate
  typealias Failure = Never

  let observation: ContentObservation?

  /// Begins to listen.
  func makeAsyncIterator() -> AsyncStream<Element>.Iterator {
    if let observation { return observation.updates().makeAsyncIterator() }
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    continuation.yield(.initial(urls: []))
    // It never ends: somebody has to hold it.
    continuation.onTermination = { _ in _ = continuation }
    return stream.makeAsyncIterator()
  }
}
