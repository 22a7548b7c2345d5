// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import SessionStore

extension SessionMachine {
  /// Handles a command of the user.
  package mutating func commanded(_ command: SessionCommand, now: UInt64) -> [SessionAction] {
    switch command {
    case .dismiss: return dismiss(.user, now: now)
    case .quit: return end(.dismissed(.init(by: .user)))
    case .power: return dismiss(.powerKey, now: now)
    case .lock(let state): return lockChanged(state, now: now)
    case .orientation(let orientation): return orientationChanged(orientation)
    case .capture(let event): return deliver(event, now: now)
    case .pointer(let event): return deliver(event, now: now)
    case .cameraControl(let command): return operateControls(command, now: now)
    }
  }

  /// Handles a rotation of the device. The orientation stays if the extension does not support the new one.
  private mutating func orientationChanged(_ orientation: SceneOrientation) -> [SessionAction] {
    let listed = terms.launch.orientations
    guard listed.isEmpty || listed.contains(orientation) else {
      let names = listed.map(\.rawValue).joined(separator: ", ")
      return [
        .log(
          .info,
          "the orientation \(orientation.rawValue) is not reported to the extension: its manifest lists \(names)"
        )
      ]
    }
    guard scene.orientation != orientation else { return [] }
    scene.orientation = orientation
    return notify(.sceneChanged(scene))
  }

  /// Whether the extension accepts presses. As on Apple's systems, the camera must be running if there is
  /// one, and the session must be in the foreground.
  var acceptsPresses: Bool {
    isSubscribed && scene.phase == .active && (isCameraRunning || terms.devices.camera == nil)
  }

  /// Whether a press reaches the extension now.
  package var receivesPresses: Bool { phase == .running && acceptsPresses }

  /// Delivers a capture event if the extension accepts presses.
  private mutating func deliver(_ event: CaptureEvent, now: UInt64) -> [SessionAction] {
    guard receivesPresses else {
      return event.phase == .began
        ? [
          .log(
            .notice,
            "a press of the \(event.button.rawValue) button was not delivered: "
              + (isSubscribed
                ? "the camera is not running" : "the extension has not subscribed to capture events")
          )
        ] : []
    }
    lastActivity = now
    interaction = .event(now)
    switch event.phase {
    case .began: pressed[event.button] = event.source
    case .ended, .cancelled: pressed[event.button] = nil
    }
    return notify(event, now: now)
  }
}

// MARK: - The machine and the app's permissions

extension SessionMachine {
  /// Handles a change of the lock state. The sandbox is the same in both states.
  package mutating func lockChanged(_ state: LockState, now: UInt64) -> [SessionAction] {
    guard state != lock, phase != .killed else { return [] }
    lock = state
    var actions: [SessionAction] = [.notifyPhotoLibrary(lock, permissions)]
    actions += notify(.lockChanged(state))
    if phase == .running { reportedState.lock = state }
    switch state {
    case .unlocked: actions += authenticationBecameUnnecessary(now)
    case .locked:
      // A dismissal cancels the input itself.
      if terms.launch.endsWhenLocked {
        actions += dismiss(.lockChanged, now: now)
      } else {
        actions += cancelInput(now)
      }
    }
    return actions
  }

  /// Handles a change of the permissions. A revoked camera or microphone stops before the extension is
  /// notified.
  package mutating func permissionsChanged(_ new: Permissions, now: UInt64) -> [SessionAction] {
    guard new != permissions, phase != .killed else { return [] }
    let isRevoked = permissions.camera == .authorized && new.camera != .authorized
    let isSilenced = permissions.microphone == .authorized && new.microphone != .authorized
    permissions = new
    var actions: [SessionAction] = isSilenced ? [.revokeMicrophone] : []
    if isRevoked {
      actions += [.revokeCamera] + cancelPresses(now) + hideControls()
      (isCameraRunning, wantsCamera) = (false, false)
    }
    actions.append(.notifyPhotoLibrary(lock, permissions))
    actions += notify(.permissionChanged(new))
    if phase == .running { reportedState.permissions = new }
    if isRevoked { actions += disarmWatchdog(now) }
    return actions
  }

  /// Handles a change of the photo library.
  package func photosChanged() -> [SessionAction] { notify(.photosChanged) }

  /// Reports the changes that happened before the extension could receive notifications.
  mutating func reportMissedChanges() -> [SessionAction] {
    var actions: [SessionAction] = []
    if reportedState.lock != lock { actions += notify(.lockChanged(lock)) }
    if reportedState.permissions != permissions { actions += notify(.permissionChanged(permissions)) }
    if reportedState.scene != scene { actions += notify(.sceneChanged(scene)) }
    reportedState = (permissions, lock, scene)
    return actions
  }
}
