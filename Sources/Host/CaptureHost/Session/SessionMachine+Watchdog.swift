// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import SessionStore

extension SessionMachine {
  /// Whether a watchdog is armed.
  package var isWatched: Bool { watchdog != nil }

  /// Whether the driver has to look for consumed frames more often than anything else happens.
  package var isWaitingForConsumption: Bool {
    watchdog != nil && !viewfinder.isConsuming && (wantsCamera || terms.conversation == .silent)
  }

  /// The extension has finished with a frame.
  package mutating func framesConsumed(now: UInt64) -> [SessionAction] {
    guard !viewfinder.isConsuming else { return [] }
    viewfinder.isConsuming = true
    return lookAtRequirements(now)
  }

  /// A frame was presented to the person.
  package mutating func viewfinderPresented(now: UInt64) -> [SessionAction] {
    guard !viewfinder.isPresented else { return [] }
    viewfinder.isPresented = true
    return lookAtRequirements(now)
  }

  /// Gives the watchdog what holds now, and says what it makes of it.
  mutating func lookAtRequirements(_ now: UInt64) -> [SessionAction] {
    guard phase == .running, watchdog != nil else { return [] }
    let isShown = viewfinder.isConsuming && (viewfinder.isPresented || terms.conversation == .silent)
    let holding: [(CaptureRequirement, Bool)] = [
      (.camera, wantsCamera && permissions.camera == .authorized),
      (.viewfinder, isShown), (.captureEvents, isSubscribed),
    ]
    var actions: [SessionAction] = []
    for (requirement, holds) in holding {
      let finding = watchdog?.set(requirement, holds, at: now) ?? .nothing
      actions += heed(finding, now)
    }
    return actions
  }

  /// Time has passed for the watchdog.
  mutating func watch(_ now: UInt64) -> [SessionAction] {
    let finding = watchdog?.timePassed(at: now) ?? .nothing
    return heed(finding, now)
  }

  /// The watchdog goes away before its time: there is no camera any more that the extension could use.
  mutating func disarmWatchdog(_ now: UInt64) -> [SessionAction] {
    guard let watchdog else { return [] }
    self.watchdog = nil
    return tell(.requirementsChanged(RequirementStatus(missing: watchdog.missing, seconds: nil)))
  }

  private mutating func heed(_ finding: LaunchWatchdog.Finding, _ now: UInt64) -> [SessionAction] {
    guard let watchdog else { return [] }
    switch finding {
    case .nothing: return []
    case .changed:
      let left = watchdog.secondsLeft(at: now)
      return tell(.requirementsChanged(RequirementStatus(missing: watchdog.missing, seconds: left)))
    case .satisfied: return disarmWatchdog(now)
    case .expired:
      self.watchdog = nil
      return end(.watchdog(SessionOutcome.Watchdog(watchdog)))
    }
  }

  /// Tells an extension that listens.
  func tell(_ notification: HostNotification) -> [SessionAction] {
    phase == .running && terms.conversation == .messages ? [.send(.notification(notification))] : []
  }
}

extension SessionOutcome.Watchdog {
  /// What a watchdog found at the end of its time.
  init(_ watchdog: LaunchWatchdog) {
    var came: [SessionOutcome.Duty: Int64] = [:]
    for (requirement, time) in watchdog.arrivals {
      came[SessionOutcome.Duty(requirement)] = Int64(time / 1_000_000)
    }
    self.init(missing: Set(watchdog.missing.map(SessionOutcome.Duty.init)), came: came)
  }
}

extension SessionOutcome.Duty {
  /// The duty that a requirement is in a record.
  init(_ requirement: CaptureRequirement) {
    self =
      switch requirement {
      case .camera: .cameraAccess
      case .viewfinder: .viewfinder
      case .captureEvents: .captureEvents
      }
  }
}
