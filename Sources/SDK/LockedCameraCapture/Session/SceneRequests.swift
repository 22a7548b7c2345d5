// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The requests that a scene sends while it is created, and their status.
///
/// Each reply costs a round trip to the host and two context switches, so the session sends all requests
/// before it waits for the replies.
struct SceneRequests {
  /// The number of missing replies.
  var pendingReplies = 0
  /// The first error reply.
  var refusal: ErrorObject?
}

extension SessionRuntime {
  /// Sends a request that the scene requires; ``awaitSceneReplies()`` waits for the reply.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - revert: Reverts the state that the caller has set, if the host refuses the request.
  /// - Throws: The failure of the connection, or an error if the session has ended.
  func addSceneRequest(_ request: ExtensionRequest, revert: @escaping () -> Void) throws {
    if let failure { throw failure }
    if isClosed { throw LockedCameraCaptureError.sessionEnded }
    do throws(ExtensionFailure) {
      try connection.sendRequest(request) { outcome in
        self.sceneRequests.pendingReplies -= 1
        if case .failure(let error)? = outcome {
          self.sceneRequests.refusal = self.sceneRequests.refusal ?? error
          revert()
        }
      }
      sceneRequests.pendingReplies += 1
    } catch {
      failure = error
      throw error
    }
  }

  /// Waits until all replies have arrived or one request is refused.
  ///
  /// - Throws: The first refusal, or the failure of the connection.
  func awaitSceneReplies() throws {
    if let failure { throw failure }
    do throws(ExtensionFailure) {
      try connection.receive { sceneRequests.pendingReplies > 0 && sceneRequests.refusal == nil }
    } catch {
      failure = error
      throw error
    }
    guard let refusal = sceneRequests.refusal else { return }
    sceneRequests.refusal = nil
    throw LockedCameraCaptureError(refusal)
  }
}
