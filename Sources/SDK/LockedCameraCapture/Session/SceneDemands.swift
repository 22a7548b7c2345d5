// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What a scene has asked the host for while it was made, and how that stands.
///
/// Each answer costs a turn of the host and two of the scheduler; so they are waited for together, when all is asked.
struct SceneDemands {
  /// How many answers are missing.
  var missing = 0
  /// The first refusal.
  var refusal: ErrorObject?
}

extension SessionRuntime {
  /// Sends a request that the scene cannot do without; ``settle()`` waits for its answer.
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

  /// Waits until everything that was demanded is there, or one thing is refused; throws the first refusal.
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
