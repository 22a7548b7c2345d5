// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

/// What a press of a control finds around it: the machine's lock, and whoever can ask the person who they are.
struct PressSurroundings {
  /// Whether the machine is locked.
  var lock: any LockWatching
  /// Asks the person who they are; nil: nobody can.
  var authenticator: (any Authenticating)?
  /// Whether the person has unlocked the machine since it was started.
  var firstUnlock: LaunchCircumstances.FirstUnlock

  /// The surroundings where nothing tells whether the machine is locked: it is at the lock screen, and not elsewhere.
  static func assumed(_ surface: ControlSurface) -> PressSurroundings {
    PressSurroundings(
      lock: FixedLockState(surface == .lockScreen ? .locked : .unlocked),
      authenticator: nil,
      firstUnlock: .happened
    )
  }
}
