// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The services that a session depends on: lock state, permissions, authentication, opening apps, photos,
/// sounds and the orientation.
///
/// All services are called on the thread that drives the session, and must not block. A service that takes
/// time has a descriptor that becomes readable.
package struct SessionDependencies {
  /// The lock state of the machine.
  package var lock: any LockWatching
  /// The permissions of the app.
  package var permissions: any PermissionWatching
  /// The authentication service, or `nil` if there is none. Requests that require authentication are then
  /// refused.
  package var authenticator: (any Authenticating)?
  /// The service that opens the app, or `nil` if there is none.
  package var opener: (any ApplicationOpening)?
  /// The photo library, or `nil` if there is none.
  package var photos: (any PhotoServing)?
  /// The service that plays sounds, or `nil` if there is none.
  package var sounds: (any SoundPlaying)?
  /// The sensor of the machine's orientation, or `nil` if none is read.
  package var orientation: (any OrientationSensing)?
  /// The commands from input devices, in addition to the main control, or `nil` if none are read.
  package var keys: (any SessionControl)?
  /// The handler of `SIGTSTP` for a terminal that shows the viewfinder, or `nil` for the kernel's default
  /// action.
  package var terminalStop: (any TerminalStopping)?
  /// The source of the free space, or `nil` for the value of the file system.
  package var space: (any FreeSpaceSource)?
  /// The origin of the launch.
  package var launch: LaunchOrigin
  /// Whether the session runs in the foreground.
  package var foregroundUse: ForegroundUse

  /// Creates the services of a session.
  ///
  /// A session that is launched from a control runs in the foreground unless `foregroundUse` is specified.
  package init(
    lock: any LockWatching,
    permissions: any PermissionWatching,
    authenticator: (any Authenticating)? = nil,
    opener: (any ApplicationOpening)? = nil,
    photos: (any PhotoServing)? = nil,
    sounds: (any SoundPlaying)? = nil,
    orientation: (any OrientationSensing)? = nil,
    launch: LaunchOrigin = .commandLine,
    seat: ForegroundUse? = nil
  ) {
    self.lock = lock
    self.permissions = permissions
    self.authenticator = authenticator
    self.opener = opener
    self.photos = photos
    self.sounds = sounds
    self.orientation = orientation
    self.launch = launch
    self.foregroundUse = seat ?? (launch.surface == .commandLine ? .shared : .exclusive)
  }

  /// Returns services for a machine that is never locked, with permissions that never change.
  package static func fixed(_ permissions: Permissions) -> SessionDependencies {
    SessionDependencies(lock: FixedLockState(.unlocked), permissions: FixedPermissions(permissions))
  }
}

/// Whether a session runs in the foreground.
package enum ForegroundUse: Sendable, Hashable {
  /// The session does not hold the foreground lock and runs next to others, such as one started by a shell or
  /// a script.
  case shared
  /// The session holds the foreground lock. No other foreground session can start meanwhile.
  case exclusive
}
