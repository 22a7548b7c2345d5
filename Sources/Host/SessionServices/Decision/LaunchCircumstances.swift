// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
package import SessionStore

/// Where a control is pressed.
package enum ControlSurface: String, CaseIterable, Sendable {
  /// At the lock screen, or whatever lies above it, whether the machine is locked at the moment or not.
  case lockScreen = "lockscreen"
  /// Anywhere else.
  case elsewhere

  /// The same as a session is told it.
  package var origin: LaunchSurface { self == .lockScreen ? .lockScreen : .elsewhere }
}

/// Everything that the decision about one press of a control depends on.
package struct LaunchCircumstances: Hashable, Sendable {
  /// Where it is pressed.
  package var surface: ControlSurface
  /// Whether the machine is locked.
  package var lock: LockState
  /// Whether the person has unlocked it since it was started.
  package var firstUnlock: FirstUnlock
  /// Whether the control lets anybody press it.
  package var control: CaptureControl.Authentication
  /// What forbids capture at the lock screen; nil: nothing does.
  package var prohibition: Administration.Prohibition?
  /// Whether the extension can be launched.
  package var installation: Installation
  /// What of the camera the extension needs and has.
  package var camera: Camera
  /// Whether another session is in front of the person.
  package var seat: Seat
  /// Why there is no room for what could be captured; nil: there is.
  package var roomRefusal: RoomRefusal?
  /// Whether the app can be opened.
  package var opening: Opening

  /// Whether the person has unlocked the machine since it was started.
  package enum FirstUnlock: String, CaseIterable, Sendable {
    /// They have: what is theirs can be read.
    case happened
    /// They have not: nobody knows yet whose machine this is at the moment.
    case pending
  }

  /// Whether the extension can be launched.
  package enum Installation: Hashable, Sendable {
    /// It is what was installed.
    case ready
    /// It is not there, or not what was installed.
    case faulty(CatalogError)
  }

  /// What of the camera an extension needs and has.
  package enum Camera: Hashable, Sendable {
    /// It takes no frames.
    case notNeeded
    /// It takes frames: may it, and from where?
    case needed(ResolvedPermission, CameraPresence)
  }

  /// Whether there is a camera.
  package enum CameraPresence: String, CaseIterable, Sendable {
    /// There is.
    case present
    /// There is none.
    case missing
  }

  /// Whether another session is in front of the person.
  package enum Seat: Hashable, Sendable {
    /// None is.
    case free
    /// This session is; nil: its id is not known.
    case taken(session: String?)
  }

  /// Whether the app can be opened.
  package enum Opening: Hashable, Sendable {
    /// It runs, or has a command that can be started.
    case possible
    /// It cannot.
    case impossible(ApplicationOpeningError)
  }

  /// Describes circumstances.
  package init(
    surface: ControlSurface,
    lock: LockState,
    firstUnlock: FirstUnlock = .happened,
    control: CaptureControl.Authentication = .notNeeded,
    prohibition: Administration.Prohibition? = nil,
    installation: Installation = .ready,
    camera: Camera = .notNeeded,
    seat: Seat = .free,
    opening: Opening = .possible
  ) {
    self.surface = surface
    self.lock = lock
    self.firstUnlock = firstUnlock
    self.control = control
    self.prohibition = prohibition
    self.installation = installation
    self.camera = camera
    self.seat = seat
    self.opening = opening
  }
}
