// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The requests that a scene sends while it is created, and their status.
///
/// Each reply costs a round trip to the host and two context switches, so the session sends all requests
/// before it waits for the replies.
struct SceneDemands {
  /// The number of missing replies.
  var missing = 0
  /// The first error reply.
  var refusal: ErrorObject?
}

extension SessionRuntime {
  /// Sends a request that the scene requires; ``settle()`` waits for the reply.
  func demand(_ request: ExtensionRequest) throws {
    if let failure { throw failure }
    if isOver { throw LockedCameraCaptureError.over }
    do throws(ExtensionFailure) {
      try connection.ask(request) { outcome in
        self.demands.missing -= 1
        if case .failure(let error)? = outcome { self.demands.refusal = self.demands.refusal ?? error }
      }
      demands.missing += 1
    } catch {
      failure = error
      throw error
    }
  }

  /// Waits until all replies have arrived or one request is refused.
  ///
  /// - Throws: The first refusal, or the failure of the connection.
  func settle() throws {
    if let failure { throw failure }
    do throws(ExtensionFailure) {
      try connection.receive { demands.missing > 0 && demands.refusal == nil }
    } catch {
      failure = error
      throw error
    }
    guard let refusal = demands.refusal else { return }
    demands.refusal = nil
    throw LockedCameraCaptureError(refusal)
  }
}
