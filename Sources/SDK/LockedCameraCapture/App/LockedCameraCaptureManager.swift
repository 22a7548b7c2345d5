// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives
internal import Synchronization

/// The app's access to the content of its capture sessions, and to the launches of the app.
///
/// Names and signatures are Apple's. A process belongs to an app if its environment contains
/// `DARKROOM_APP_CONTAINER`, or `DARKROOM_ROOT` and `DARKROOM_APP_ID`. In any other process there is no
/// content and no launch. All members may be used on any thread.
public final class LockedCameraCaptureManager: Sendable {
  /// The manager of the app to which this process belongs.
  ///
  /// The first use makes standard output line buffered. The output of an app that the host has started is a
  /// file or a pipe, and the app may be terminated at any time.
  public static let shared: LockedCameraCaptureManager = {
    CurrentProcess.bufferOutputByLine()
    return LockedCameraCaptureManager(AppContainer(environment: CurrentProcess.environment))
  }()

  /// A change of the session content.
  public enum SessionContentUpdate: Sendable, Hashable {
    /// The directories that exist at the start; the first update of each iteration, even if there are none.
    case initial(urls: [URL])
    /// A complete directory was added.
    case added(url: URL)
    /// A directory was removed, by this or another process.
    case removed(url: URL)
  }

  /// The paths of the app, or `nil` if the process does not belong to an app.
  let container: AppContainer?
  /// The observation that all consumers share, or `nil` if the process does not belong to an app.
  let observation: ContentObservation?
  /// The mailbox dispatch that all consumers share, or `nil` if the process does not belong to an app.
  let dispatch: LaunchDispatch?
  /// The lock that delays the appearance of the app, while it is held.
  private let delay = Mutex<FileLock?>(nil)

  /// Creates the manager of another app, for tests.
  ///
  /// - Parameter container: The directory that contains the app's `SessionContent`.
  public convenience init(container: URL) {
    self.init(AppContainer(path: container.path(percentEncoded: false)))
  }

  /// Creates the manager of a container.
  private init(_ container: AppContainer?) {
    self.container = container
    observation = container.map { ContentObservation(ContentDirectory(path: $0.contentDirectory)) }
    dispatch = container.map(LaunchDispatch.init)
  }

  /// The content directories of the sessions, oldest first; a directory can contain several captures.
  ///
  /// Each directory is complete and no process writes to it. A session without files has no directory. Prefer
  /// ``sessionContentUpdates``, which also reports later changes.
  public var sessionContentURLs: [URL] {
    guard let container else { return [] }
    let content = ContentDirectory(path: container.contentDirectory)
    return ((try? content.names()) ?? []).map(content.url)
  }

  /// The changes of the session content, starting with ``SessionContentUpdate/initial(urls:)``.
  ///
  /// The sequence never ends and never throws. Each iteration starts with its own `.initial` and then
  /// receives each change once; any number of iterations may run at the same time.
  public var sessionContentUpdates: some AsyncSequence<SessionContentUpdate, Never> {
    SessionContentUpdates(observation: observation)
  }

  /// The consumers of ``sessionContentUpdates``, for tests.
  package var listeners: ContentListeners {
    observation?.listeners ?? ContentListeners(consumers: 0, isWatching: false)
  }

  /// Deletes the content of a session; call it after all of it is imported.
  ///
  /// A URL that is not from ``sessionContentURLs`` or ``sessionContentUpdates``, or whose directory was
  /// already removed, is ignored. When the call returns, the removal is durable across a power failure, and
  /// every consumer receives `.removed`.
  ///
  /// - Parameter url: The URL of the content directory.
  /// - Throws: ``LockedCameraCaptureError`` if a system call fails.
  public func invalidateSessionContent(at url: URL) async throws {
    try await invalidateContent(at: url)
  }

  /// Asks the host not to show the app yet, while it prepares its user interface.
  ///
  /// Call it as early as possible. The host waits for ``endDelayingAppearance()`` or the exit of the process,
  /// at most one second. Further calls have no effect.
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

  /// Starts to listen for updates.
  func makeAsyncIterator() -> AsyncStream<Element>.Iterator {
    if let observation { return observation.updates().makeAsyncIterator() }
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    continuation.yield(.initial(urls: []))
    // The stream never ends, so its continuation must be retained.
    continuation.onTermination = { _ in _ = continuation }
    return stream.makeAsyncIterator()
  }
}
