// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
package import SessionStore

extension SessionMachine {
  /// Dismisses the session with its grace period.
  mutating func dismiss(_ dismisser: SessionOutcome.Dismisser, now: UInt64) -> [SessionAction] {
    guard phase == .starting || phase == .running else { return [] }
    guard !isAwaitingDebugger else { return end(.dismissed(.init(by: dismisser))) }
    cause = .dismissed(.init(by: dismisser))
    var actions = abandonOpening() + cancelInput(now) + hideControls()
    phase = .dismissing(until: now + terms.times.dismissalGrace)
    isCameraRunning = false
    watchdog = nil
    scene.phase = .background
    switch terms.conversation {
    case .silent where terms.devices.camera != nil:
      // The frames end first, so that a recorder can finish its file before it receives a signal.
      terminationTime = now + terms.times.dismissalGrace / 2
      actions += [.stopCamera]
    case .silent:
      actions += requestTermination()
    case .messages:
      let notice = DismissalNotice(
        reason: dismisser.notifiedReason,
        grace: Double(terms.times.dismissalGrace) / 1_000_000_000
      )
      actions += [
        .send(.notification(.sceneChanged(scene))), .send(.notification(.sessionWillDismiss(notice))),
        .stopCamera,
      ]
      if terms.devices.microphone != nil { actions.append(.stopMicrophone) }
    }
    return actions
  }

  /// Requests the extension to exit, with a signal.
  mutating func requestTermination() -> [SessionAction] {
    hasSentTermination = true
    return [.signal(.terminate)]
  }

  /// Handles the end of the grace period or of its extension for activities.
  mutating func graceExpired(_ now: UInt64) -> [SessionAction] {
    guard !activities.isEmpty, !isBeyondGrace else { return killForTimeout() }
    isBeyondGrace = true
    phase = .dismissing(until: now + terms.times.activityCap)
    let reasons = activities.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
    return [.log(.notice, "the grace period is over; the session waits for its activities: \(reasons)")]
  }

  private mutating func killForTimeout() -> [SessionAction] {
    if case .dismissed(var dismissal)? = cause {
      dismissal.ending = .timedOut
      cause = .dismissed(dismissal)
    }
    phase = .killed
    return [.kill]
  }

  /// Terminates the session at once.
  package mutating func end(_ outcome: SessionOutcome) -> [SessionAction] {
    guard phase != .killed else { return [] }
    let abandoned = abandonOpening()
    phase = .killed
    guard let cause else {
      cause = outcome
      return abandoned + [.kill]
    }
    // The first cause stays the outcome, and a later cause is logged, except for a second dismissal.
    if case .dismissed = outcome { return [.kill] }
    return [.log(.notice, "after the outcome was decided (\(cause)): \(outcome)"), .kill]
  }

  /// Cancels the pressed buttons.
  mutating func cancelPresses(_ now: UInt64) -> [SessionAction] {
    let cancelled = pressed.sorted { $0.key.rawValue < $1.key.rawValue }
    pressed = [:]
    return cancelled.flatMap { notify(CaptureEvent($0.key, .cancelled, from: $0.value), now: now) }
  }
}

// MARK: - What is to be finished first

extension SessionMachine {
  /// The maximum number of expiring activities at the same time.
  private static let maximumActivities = 64

  /// The time that the extension may take to exit after its last activity has ended, in nanoseconds.
  private static let finalGrace: UInt64 = 1_000_000_000

  /// Handles the start of an expiring activity.
  mutating func beginActivity(_ reason: String, _ id: RequestID) -> [SessionAction] {
    guard !isBeyondGrace else {
      return [
        .refuse(id, .notInSession, "the grace period of the dismissal is over; finish the running activities")
      ]
    }
    guard activities.count < Self.maximumActivities else {
      return [
        .refuse(
          id,
          .busy,
          "\(Self.maximumActivities) activities are already running; end some with session/endActivity"
        )
      ]
    }
    activityCount += 1
    let name = "\(activityCount)"
    activities[name] = String(reason.prefix(200))
    return [.send(.reply(Reply(id: id, result: ActivityResult(activity: name))))]
  }

  /// Handles the end of an expiring activity. The last one ends an extended dismissal.
  mutating func endActivity(_ name: String, _ id: RequestID, now: UInt64) -> [SessionAction] {
    guard activities.removeValue(forKey: name) != nil else {
      return [
        .refuse(id, .invalidParams, "no running activity is named '\(name.prefix(40))'")
      ]
    }
    lastActivity = now
    if isBeyondGrace, activities.isEmpty, case .dismissing(let until) = phase {
      phase = .dismissing(until: min(until, now + Self.finalGrace))
    }
    return [.send(.reply(Reply(id: id, result: EmptyResult())))]
  }
}

extension SessionAction {
  /// Answers a request with an error.
  static func refuse(_ id: RequestID, _ code: ProtocolErrorCode, _ text: String) -> SessionAction {
    .send(.reply(Reply(id: id, error: code, text)))
  }
}

extension SessionMachine {
  /// Answers a request that the host could not execute. The error is written only to the log, because it may
  /// contain paths of the host.
  func internalError(_ id: RequestID, _ what: String, _ error: some Error) -> [SessionAction] {
    [
      .refuse(id, .internalError, "\(what); the host's log contains the reason"),
      .log(.notice, "\(what): \(error)"),
    ]
  }
}
