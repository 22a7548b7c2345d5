// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import Synchronization

extension AppContextAccess {
  /// The context of a session, over its connection; the host has sent it before, so that reading asks nobody.
  init(_ session: LockedCameraCaptureSession) {
    self.init(
      read: { await MainActor.run { session.runtime.context } },
      write: { value, revision in try await Self.write(value, revision, session) },
      observe: { changed in
        let ended = Ended()
        Task { @MainActor in
          session.runtime.handlers.contextChanges.append { if !ended.isSet { changed() } }
        }
        return { ended.set() }
      }
    )
  }

  /// Sends a context to the host; false if what the host has last told is another revision.
  @MainActor
  private static func write(
    _ value: JSONValue,
    _ revision: AppContextRevision?,
    _ session: LockedCameraCaptureSession
  ) async throws -> Bool {
    if let revision, AppContextRevision(session.runtime.context) != revision { return false }
    do throws(AskFailure) {
      _ = try await session.runtime.ask(.contextUpdate(value), ContextUpdateResult.self)
    } catch { throw error.published }
    session.runtime.context = value
    return true
  }

  /// Whether an observation has ended.
  private final class Ended: Sendable {
    private let flag = Mutex(false)
    var isSet: Bool { flag.withLock(\.self) }
    func set() { flag.withLock { $0 = true } }
  }
}
