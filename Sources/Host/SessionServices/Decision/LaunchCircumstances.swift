// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
package import SessionStore

/// The surface on which a control is pressed.
package enum ControlSurface: String, CaseIterable, Sendable {
  /// The lock screen or a surface above it, whether the screen is locked or not.
  case lockScreen = "lockscreen"
  /// Any other surface.
  case elsewhere

  /// The corresponding launch surface of a session.
  package var origin: LaunchSurface { self == .lockScreen ? .lockScreen : .elsewhere }
}

/// All inputs of the decision about a control press.
package struct LaunchCircumstances: Hashable, Sendable {
  /// The surface on which the control is pressed.
  package var surface: ControlSurface
  /// Whether the screen is locked.
  package var lock: LockState
  /// Whether the user has unlocked the machine since it started.
  package var firstUnlock: FirstUnlock
  /// Whether the control requires authentication.
  package var control: CaptureControl.Authentication
  /// The rule that forbids capture on the lock screen, or `nil` if there is none.
  package var prohibition: Administration.Prohibition?
  /// Whether the extension can be launched.
  package var installation: Installation
  /// The camera that the extension needs.
  package var camera: Camera
  /// Whether another session is in the foreground.
  package var foreground: Foreground
  /// The reason why there is no space for captures, or `nil` if there is space.
  package var storageRefusal: StorageRefusal?
  /// Whether the app can be opened.
  package var opening: Opening

  /// Whether the user has unlocked the machine since it started.
  package enum FirstUnlock: String, CaseIterable, Sendable {
    /// The user has unlocked the machine, so the user's data can be read.
    case happened
    /// The user has not unlocked the machine, so the current user is unknown.
    case pending
  }

  /// Whether the extension can be launched.
  package enum Installation: Hashable, Sendable {
    /// The extension matches its installation.
    case ready
    /// The extension is missing or does not match its installation.
    case faulty(CatalogError)
  }

  /// The camera that an extension needs.
  package enum Camera: Hashable, Sendable {
    /// The extension takes no frames.
    case notNeeded
    /// The extension takes frames, with this permission and this camera.
    case needed(ResolvedPermission, CameraPresence)
  }

  /// Whether a camera is present.
  package enum CameraPresence: String, CaseIterable, Sendable {
    /// A camera is present.
    case present
    /// No camera is present.
    case missing
  }

  /// Whether another session is in the foreground.
  package enum Foreground: Hashable, Sendable {
    /// No session is in the foreground.
    case free
    /// The session with this ID is in the foreground. The ID is `nil` if it is unknown.
    case taken(session: String?)
  }

  /// Whether the app can be opened.
  package enum Opening: Hashable, Sendable {
    /// The app is running, or has an executable command.
    case possible
    /// The app cannot be opened.
    case impossible(ApplicationOpeningError)
  }

  /// Creates circumstances.
  package init(
    surface: ControlSurface,
    lock: LockState,
    firstUnlock: FirstUnlock = .happened,
    control: CaptureControl.Authentication = .notNeeded,
    prohibition: Administration.Prohibition? = nil,
    installation: Installation = .ready,
    camera: Camera = .notNeeded,
    seat: Foreground = .free,
    opening: Opening = .possible
  ) {
    self.surface = surface
    self.lock = lock
    self.firstUnlock = firstUnlock
    self.control = control
    self.prohibition = prohibition
    self.installation = installation
    self.camera = camera
    self.foreground = seat
    self.opening = opening
  }
}
