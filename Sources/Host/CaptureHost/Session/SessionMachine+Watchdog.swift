// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import SessionStore

extension SessionMachine {
  /// Whether the watchdog is armed.
  package var isWatched: Bool { watchdog != nil }

  /// Whether the driver must poll for consumed frames, which produce no event.
  package var isWaitingForConsumption: Bool {
    watchdog != nil && !viewfinder.isConsuming && (wantsCamera || terms.conversation == .silent)
  }

  /// Handles the first frame that the extension has finished with.
  package mutating func framesConsumed(now: UInt64) -> [SessionAction] {
    guard !viewfinder.isConsuming else { return [] }
    viewfinder.isConsuming = true
    return updateRequirements(now)
  }

  /// Handles the first frame that the extension has shown.
  package mutating func viewfinderPresented(now: UInt64) -> [SessionAction] {
    guard !viewfinder.isPresented else { return [] }
    viewfinder.isPresented = true
    return updateRequirements(now)
  }

  /// Updates the requirements of the watchdog, and performs the result.
  mutating func updateRequirements(_ now: UInt64) -> [SessionAction] {
    guard phase == .running, watchdog != nil else { return [] }
    let isShown = viewfinder.isConsuming && (viewfinder.isPresented || terms.conversation == .silent)
    let holding: [(CaptureRequirement, Bool)] = [
      (.camera, wantsCamera && permissions.camera == .authorized),
      (.viewfinder, isShown), (.captureEvents, isSubscribed),
    ]
    var actions: [SessionAction] = []
    for (requirement, holds) in holding {
      let finding = watchdog?.set(requirement, holds, at: now) ?? .nothing
      actions += handle(finding, now)
    }
    return actions
  }

  /// Checks the deadlines of the watchdog.
  mutating func updateWatchdog(_ now: UInt64) -> [SessionAction] {
    let finding = watchdog?.timePassed(at: now) ?? .nothing
    return handle(finding, now)
  }

  /// Disarms the watchdog early, because the extension has no camera.
  mutating func disarmWatchdog(_ now: UInt64) -> [SessionAction] {
    guard let watchdog else { return [] }
    self.watchdog = nil
    return notify(.requirementsChanged(RequirementStatus(missing: watchdog.missing, seconds: nil)))
  }

  private mutating func handle(_ finding: LaunchWatchdog.Finding, _ now: UInt64) -> [SessionAction] {
    guard let watchdog else { return [] }
    switch finding {
    case .nothing: return []
    case .changed:
      let left = watchdog.secondsLeft(at: now)
      return notify(.requirementsChanged(RequirementStatus(missing: watchdog.missing, seconds: left)))
    case .satisfied: return disarmWatchdog(now)
    case .expired:
      self.watchdog = nil
      return end(.watchdog(SessionOutcome.Watchdog(watchdog)))
    }
  }

  /// Returns the action that notifies a running extension.
  func notify(_ notification: HostNotification) -> [SessionAction] {
    phase == .running && terms.conversation == .messages ? [.send(.notification(notification))] : []
  }
}

extension SessionOutcome.Watchdog {
  /// Creates the record entry of an expired watchdog.
  init(_ watchdog: LaunchWatchdog) {
    var satisfiedAt: [SessionOutcome.Requirement: Int64] = [:]
    for (requirement, time) in watchdog.arrivals {
      satisfiedAt[SessionOutcome.Requirement(requirement)] = Int64(time / 1_000_000)
    }
    self.init(missing: Set(watchdog.missing.map(SessionOutcome.Requirement.init)), satisfiedAt: satisfiedAt)
  }
}

extension SessionOutcome.Requirement {
  /// Creates the record entry of a requirement.
  init(_ requirement: CaptureRequirement) {
    self =
      switch requirement {
      case .camera: .cameraAccess
      case .viewfinder: .viewfinder
      case .captureEvents: .captureEvents
      }
  }
}

/// The observed state of a viewfinder.
struct ViewfinderStatus: Sendable, Equatable {
  /// Whether the extension has finished with a frame.
  var isConsuming = false
  /// Whether the extension has reported a shown frame, or the host has found one in the preview ring.
  var isPresented = false
}
