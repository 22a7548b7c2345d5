// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import Synchronization

extension AppContextAccess {
  /// Creates access to the context of a session, over its connection.
  ///
  /// The host has sent the context before, so reading sends no request.
  init(_ session: LockedCameraCaptureSession) {
    self.init(
      read: { await MainActor.run { session.runtime.context } },
      write: { value, revision in try await Self.write(value, revision, session) },
      observe: { changed in
        let ended = CancellationFlag()
        Task { @MainActor in
          session.runtime.handlers.contextChanges.append { if !ended.isSet { changed() } }
        }
        return { ended.set() }
      }
    )
  }

  /// Sends a context to the host, which stores it.
  ///
  /// With a revision, the host stores it only if the stored context has that revision; otherwise the result
  /// is `false`.
  @MainActor
  private static func write(
    _ value: JSONValue,
    _ revision: AppContextRevision?,
    _ session: LockedCameraCaptureSession
  ) async throws -> Bool {
    let known = session.runtime.context
    // If the known context has another revision, the stored context has too, or a message about it is in
    // transit.
    if let revision, AppContextRevision(known) != revision { return false }
    let request = ExtensionRequest.contextUpdate(value, ifContext: revision == nil ? nil : known)
    do throws(RequestFailure) {
      _ = try await session.runtime.awaitResult(request, ContextUpdateResult.self)
    } catch {
      if case .refused(let refusal) = error, refusal.currentContext != nil { return false }
      throw error.publicError
    }
    return true
  }

  /// A flag that ends an observation.
  private final class CancellationFlag: Sendable {
    private let flag = Mutex(false)
    var isSet: Bool { flag.withLock(\.self) }
    func set() { flag.withLock { $0 = true } }
  }
}
