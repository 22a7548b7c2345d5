// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import SessionStore

/// The stage of opening the app.
enum ApplicationOpeningStage: Sendable, Equatable {
  /// No request was made.
  case none
  /// The app is being checked.
  case checking(UserActivity, RequestID)
  /// The user is being authenticated.
  case authenticating(UserActivity, RequestID)
  /// The delivery is being written to disk.
  case noting(UserActivity, RequestID)
  /// The decision is final: the app is opened after the migration.
  case settled
}

extension SessionMachine {
  /// The time after a user interaction in which the extension may open the app, in nanoseconds.
  private static let interactionTime: UInt64 = 10_000_000_000

  /// Handles a request to open the app.
  mutating func openApplication(_ activity: UserActivity, _ id: RequestID, now: UInt64) -> [SessionAction] {
    guard phase == .running else { return [.refuse(id, .notInSession, Self.isEndingText)] }
    guard opening == .none else {
      return [.refuse(id, .busy, "the app is already being opened; wait for the reply to the first request")]
    }
    do throws(UserActivityError) { try activity.requireSize() } catch {
      return [.send(.reply(Reply(id: id, .failure(error.errorObject))))]
    }
    guard consumeInteraction(now) else {
      let text =
        "opening the app requires a user interaction, and an authentication uses it up; send the request within 10 "
        + "seconds of a capture event or a touch, or once after a launch by a control"
      return [.refuse(id, .interactionRequired, text)]
    }
    opening = .checking(activity, id)
    return [.checkApplication]
  }

  /// Returns whether a recent user interaction permits opening the app. A launch by a control counts once.
  private mutating func consumeInteraction(_ now: UInt64) -> Bool {
    switch interaction {
    case .event(let time): return now < time + Self.interactionTime
    case .control:
      interaction = nil
      return true
    case nil: return false
    }
  }

  /// Handles the result of the check.
  package mutating func applicationChecked(
    _ error: ApplicationOpeningError?,
    now: UInt64
  ) -> [SessionAction] {
    guard case .checking(let activity, let id) = opening else { return [] }
    if let error {
      opening = .none
      return [
        .refuse(id, .applicationNotFound, error.extensionMessage),
        .log(.notice, "the app was not opened: \(error)"),
      ]
    }
    guard lock == .locked else { return note(activity, id) }
    opening = .authenticating(activity, id)
    // A prompt uses up the interaction, so a user who declines is not prompted again before another
    // interaction.
    interaction = nil
    return setScenePhase(.inactive, now) + [.authenticate("open the app")]
  }

  /// Handles the result of an authentication.
  package mutating func authenticated(_ result: AuthenticationResult, now: UInt64) -> [SessionAction] {
    guard case .authenticating(let activity, let id) = opening else { return [] }
    opening = .none
    let front = setScenePhase(.active, now)
    if result == .succeeded { return front + note(activity, id) }
    if case .unavailable(let reason) = result {
      return front + [
        .send(.reply(Reply(id: id, .failure(result.errorObject)))),
        .log(.notice, "the user cannot be authenticated: \(reason)"),
      ]
    }
    return front + [.send(.reply(Reply(id: id, .failure(result.errorObject))))]
  }

  /// Handles an unlock, which makes a running authentication unnecessary.
  mutating func authenticationBecameUnnecessary(_ now: UInt64) -> [SessionAction] {
    guard case .authenticating(let activity, let id) = opening else { return [] }
    return [.cancelAuthentication] + setScenePhase(.active, now) + note(activity, id)
  }

  private mutating func note(_ activity: UserActivity, _ id: RequestID) -> [SessionAction] {
    opening = .noting(activity, id)
    return [.noteDelivery(activity)]
  }

  /// Handles the result of writing the delivery. The extension is not notified that the app will be opened
  /// before the delivery is durable.
  package mutating func deliveryNoted(_ error: StoreError?, now: UInt64) -> [SessionAction] {
    guard case .noting(_, let id) = opening else { return [] }
    if let error {
      opening = .none
      return internalError(id, "the activity could not be recorded", error)
    }
    opening = .settled
    return [.send(.reply(Reply(id: id, result: EmptyResult())))] + dismiss(.applicationOpened, now: now)
  }

  /// Cancels a pending request because the session ends for another reason.
  mutating func abandonOpening() -> [SessionAction] {
    switch opening {
    case .none, .settled: return []
    case .checking(_, let id), .noting(_, let id):
      opening = .none
      return [.refuse(id, .notInSession, Self.isEndingText)]
    case .authenticating(_, let id):
      opening = .none
      return [.cancelAuthentication, .refuse(id, .notInSession, Self.isEndingText)]
    }
  }

  /// Handles a change between foreground and background.
  private mutating func setScenePhase(_ front: ScenePhase, _ now: UInt64) -> [SessionAction] {
    guard scene.phase != front else { return [] }
    let cancelled = front == .inactive ? cancelInput(now) + hideControls() : []
    scene.phase = front
    lastActivity = now
    watchdog?.pause(front == .inactive, at: now)
    return cancelled + notify(.sceneChanged(scene))
  }

  private static let isEndingText = "the session is being dismissed"
}

extension AuthenticationResult {
  /// The error of a request that required authentication.
  fileprivate var errorObject: ErrorObject {
    switch self {
    case .succeeded, .failed: .authenticationFailed(.failed, "the authentication of the user failed")
    case .cancelled: .authenticationFailed(.cancelled, "the user cancelled the authentication")
    case .timedOut: .authenticationFailed(.timedOut, "the authentication of the user timed out")
    case .tooManyAttempts:
      .authenticationFailed(.tooManyAttempts, "too many attempts to authenticate failed; try again later")
    case .noAuthenticator: .authenticationFailed(.unavailable, "no authentication is configured")
    case .unavailable: .authenticationFailed(.unavailable, "the user cannot be authenticated")
    }
  }
}
