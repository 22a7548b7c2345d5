// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import SessionStore

/// How far the opening of the app is.
enum ApplicationOpeningStage: Sendable, Equatable {
  /// Nobody has asked for it.
  case none
  /// Whether the app can be opened is being found out.
  case checking(UserActivity, RequestID)
  /// The person is being asked who they are.
  case authenticating(UserActivity, RequestID)
  /// The activity is being written down.
  case noting(UserActivity, RequestID)
  /// It is decided: the app is told when the session's content is there.
  case settled
}

extension SessionMachine {
  /// How long after an event the extension may open the app for it, in nanoseconds.
  private static let interactionTime: UInt64 = 10_000_000_000

  /// The extension wants the app opened.
  mutating func openApplication(_ activity: UserActivity, _ id: RequestID, now: UInt64) -> [SessionAction] {
    guard phase == .running else { return [.refuse(id, .notInSession, Self.isEndingText)] }
    guard opening == .none else {
      return [.refuse(id, .busy, "the app is being opened already; wait for the answer to the first request")]
    }
    do throws(UserActivityError) { try activity.requireSize() } catch {
      return [.send(.reply(Reply(id: id, .failure(error.errorObject))))]
    }
    guard takeInteraction(now) else {
      let text =
        "an app is opened only for something that the person did: ask within 10 seconds of a capture event, "
        + "or once after a launch by a control; who was asked who they are has to do something again first"
      return [.refuse(id, .interactionRequired, text)]
    }
    opening = .checking(activity, id)
    return [.checkApplication]
  }

  /// Whether the person has done something that the app may be opened for; a launch by a control counts once.
  private mutating func takeInteraction(_ now: UInt64) -> Bool {
    switch interaction {
    case .event(let time): return now < time + Self.interactionTime
    case .control:
      interaction = nil
      return true
    case nil: return false
    }
  }

  /// Whether the app can be opened is known now.
  package mutating func applicationChecked(
    _ error: ApplicationOpeningError?,
    now: UInt64
  ) -> [SessionAction] {
    guard case .checking(let activity, let id) = opening else { return [] }
    if let error {
      opening = .none
      return [
        .refuse(id, .applicationNotFound, error.toldToExtension),
        .log(.notice, "the app is not opened: \(error)"),
      ]
    }
    guard lock == .locked else { return note(activity, id) }
    opening = .authenticating(activity, id)
    // Being asked counts once, too: a person who says no is not asked again before they have done something else.
    interaction = nil
    return setFront(.inactive, now) + [.authenticate("open the app")]
  }

  /// The person was asked, and this came of it.
  package mutating func authenticated(_ result: AuthenticationResult, now: UInt64) -> [SessionAction] {
    guard case .authenticating(let activity, let id) = opening else { return [] }
    opening = .none
    let front = setFront(.active, now)
    if result == .succeeded { return front + note(activity, id) }
    if case .unavailable(let reason) = result {
      return front + [
        .send(.reply(Reply(id: id, .failure(result.errorObject)))),
        .log(.notice, "nobody here can ask the person who they are: \(reason)"),
      ]
    }
    return front + [.send(.reply(Reply(id: id, .failure(result.errorObject))))]
  }

  /// The machine is unlocked: whoever was being asked need not answer any more.
  mutating func authenticationIsMoot(_ now: UInt64) -> [SessionAction] {
    guard case .authenticating(let activity, let id) = opening else { return [] }
    return [.cancelAuthentication] + setFront(.active, now) + note(activity, id)
  }

  private mutating func note(_ activity: UserActivity, _ id: RequestID) -> [SessionAction] {
    opening = .noting(activity, id)
    return [.noteDelivery(activity)]
  }

  /// The activity is safe, or cannot be made so: before that nobody is told that the app will be opened.
  package mutating func deliveryNoted(_ error: StoreError?, now: UInt64) -> [SessionAction] {
    guard case .noting(_, let id) = opening else { return [] }
    if let error {
      opening = .none
      return internalError(id, "the activity could not be written down", error)
    }
    opening = .settled
    return [.send(.reply(Reply(id: id, result: Nothing())))] + dismiss(.applicationOpened, now: now)
  }

  /// The session ends otherwise while the app was about to be opened.
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

  /// Something else comes in front of the session, or goes.
  private mutating func setFront(_ front: ScenePhase, _ now: UInt64) -> [SessionAction] {
    guard scene.phase != front else { return [] }
    let cancelled = front == .inactive ? cancelPresses(now) + hideControls() : []
    scene.phase = front
    lastSign = now
    watchdog?.pause(front == .inactive, at: now)
    return cancelled + tell(.sceneChanged(scene))
  }

  private static let isEndingText = "the session is being dismissed"
}

extension AuthenticationResult {
  /// The answer to a request that needed the person.
  fileprivate var errorObject: ErrorObject {
    switch self {
    case .succeeded, .failed: .authenticationFailed(.failed, "what the person gave is not theirs")
    case .cancelled: .authenticationFailed(.cancelled, "the person did not want to say who they are")
    case .timedOut: .authenticationFailed(.timedOut, "the person took too long to say who they are")
    case .tooManyAttempts: .authenticationFailed(.tooManyAttempts, "it was tried too often; try again later")
    case .nobodyAsks: .authenticationFailed(.unavailable, "no way to ask is set up")
    case .unavailable: .authenticationFailed(.unavailable, "nobody here can ask the person who they are")
    }
  }
}
