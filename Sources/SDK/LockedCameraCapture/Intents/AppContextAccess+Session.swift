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

  /// Sends a context to the host, which stores it, with a revision only if that is what it finds; false if it is not.
  @MainActor
  private static func write(
    _ value: JSONValue,
    _ revision: AppContextRevision?,
    _ session: LockedCameraCaptureSession
  ) async throws -> Bool {
    let known = session.runtime.context
    // What is not even known here cannot be what is stored, or a message about it is on its way.
    if let revision, AppContextRevision(known) != revision { return false }
    let request = ExtensionRequest.contextUpdate(value, ifContext: revision == nil ? nil : known)
    do throws(AskFailure) {
      _ = try await session.runtime.ask(request, ContextUpdateResult.self)
    } catch {
      if case .refused(let refusal) = error, refusal.presentContext != nil { return false }
      throw error.published
    }
    return true
  }

  /// Whether an observation has ended.
  private final class Ended: Sendable {
    private let flag = Mutex(false)
    var isSet: Bool { flag.withLock(\.self) }
    func set() { flag.withLock { $0 = true } }
  }
}
