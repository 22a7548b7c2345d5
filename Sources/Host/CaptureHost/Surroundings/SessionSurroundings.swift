// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// What a session finds around it: the machine's lock, the app's permissions, and whoever can ask, open and keep.
///
/// Everything here is used on the thread that drives the session, and nothing may wait there: what takes time has a
/// descriptor that becomes readable.
package struct SessionSurroundings {
  /// Whether the machine is locked.
  package var lock: any LockWatching
  /// What the app may use.
  package var permissions: any PermissionWatching
  /// Asks the person who they are; nil: nobody can, so that what needs it is refused.
  package var authenticator: (any Authenticating)?
  /// Opens the app; nil: nobody can.
  package var opener: (any ApplicationOpening)?
  /// The photo library; nil: there is none.
  package var photos: (any PhotoServing)?
  /// Plays sounds; nil: nobody does.
  package var sounds: (any SoundPlaying)?
  /// Keys of input devices, beside whatever else plays the person; nil: none are read.
  package var keys: (any SessionControl)?
  /// How the host is stopped at a terminal in which the viewfinder is shown; nil: as the kernel stops it.
  package var terminalStop: (any TerminalStopping)?
  /// How much of the file system is said to be free; nil: what is.
  package var space: (any FreeSpaceSource)?
  /// What the session is launched from.
  package var launch: LaunchOrigin
  /// Whether the session is the one in front of the person.
  package var seat: SeatUse

  /// Names the surroundings. A session launched from a control is the one in front of the person, unless it is said
  /// otherwise.
  package init(
    lock: any LockWatching,
    permissions: any PermissionWatching,
    authenticator: (any Authenticating)? = nil,
    opener: (any ApplicationOpening)? = nil,
    photos: (any PhotoServing)? = nil,
    sounds: (any SoundPlaying)? = nil,
    launch: LaunchOrigin = .commandLine,
    seat: SeatUse? = nil
  ) {
    self.lock = lock
    self.permissions = permissions
    self.authenticator = authenticator
    self.opener = opener
    self.photos = photos
    self.sounds = sounds
    self.launch = launch
    self.seat = seat ?? (launch.surface == .commandLine ? .besideOthers : .alone)
  }

  /// A machine that is never locked, permissions that never change, and nobody to ask.
  package static func fixed(_ permissions: Permissions) -> SessionSurroundings {
    SessionSurroundings(lock: FixedLockState(.unlocked), permissions: FixedPermissions(permissions))
  }
}

/// Whether a session is the one in front of the person.
package enum SeatUse: Sendable, Hashable {
  /// It is one of many, and holds no seat: as a shell or a script runs it.
  case besideOthers
  /// It holds the seat, and no other that wants it can begin meanwhile.
  case alone
}
