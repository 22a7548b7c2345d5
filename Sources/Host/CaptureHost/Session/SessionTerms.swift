// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// What was agreed for a session before it began: deadlines, permissions, and how it talks.
package struct SessionTerms: Sendable {
  /// How the extension and the host understand each other.
  package enum Conversation: Sendable, Equatable {
    /// By messages.
    case messages
    /// Not at all.
    case silent
  }

  /// Whether a debugger is waited for.
  package enum Debugger: Sendable, Equatable {
    /// None is.
    case none
    /// The program is stopped before its first instruction until one has attached.
    case awaited
  }

  /// How the extension and the host understand each other.
  package var conversation: Conversation
  /// Whether a debugger is waited for.
  package var debugger = Debugger.none
  /// When an extension that talks must have answered the first message, in nanoseconds after the launch.
  package var launchDeadline: UInt64
  /// How long the extension may take to end after its dismissal, in nanoseconds.
  package var dismissalGrace: UInt64
  /// How long the session may take, in nanoseconds.
  package var wallClock: UInt64
  /// The most bytes that the session directory may hold.
  package var sessionBytes: Int
  /// How many bytes more it can come to hold before the session is ended for it. Files that grow are refused before; but
  /// many can grow between two looks, and some things are not refused.
  package var overshoot = 0
  /// The most files and directories that the session directory may hold.
  package var sessionFiles: Int
  /// What bounds the session directory: the session's own limit, or what may wait for its app in all.
  package var boundBy = ContentRoom.Reason.session
  /// How long after the launch the watchdog's conditions must hold, in nanoseconds; nil: nothing watches.
  package var watchdog: UInt64?
  /// How long nobody need do anything, in nanoseconds; nil: for ever.
  package var idleTimeout: UInt64?
  /// How long a dismissal waits beyond its grace for expiring activities, in nanoseconds.
  package var activityCap: UInt64
  /// Whether the machine is locked at the launch.
  package var lockState: LockState
  /// Whether the session ends when the machine is locked while it runs.
  package var endsWhenLocked: Bool
  /// What the session was launched from.
  package var launch: LaunchOrigin
  /// The orientations that the extension can draw in, in the order of its preference; empty: any.
  package var orientations: [SceneOrientation]
  /// The permissions that the app has at the launch.
  package var permissions: Permissions
  /// The camera of the session, or nil.
  package var camera: CameraDescription?
  /// The most camera controls that the person could adjust.
  package var mostCameraControls = 0
  /// What is in the sound ring of the session; nil: it has no microphone.
  package var microphone: MicrophoneStream?

  /// Makes terms.
  package init(
    conversation: Conversation,
    launchDeadline: UInt64,
    dismissalGrace: UInt64,
    wallClock: UInt64,
    sessionBytes: Int,
    sessionFiles: Int,
    permissions: Permissions,
    camera: CameraDescription?,
    watchdog: UInt64? = nil,
    idleTimeout: UInt64? = nil,
    activityCap: UInt64 = 30_000_000_000,
    lockState: LockState = .unlocked,
    endsWhenLocked: Bool = false,
    launch: LaunchOrigin = .commandLine,
    orientations: [SceneOrientation] = []
  ) {
    self.conversation = conversation
    self.launchDeadline = launchDeadline
    self.dismissalGrace = dismissalGrace
    self.wallClock = wallClock
    self.sessionBytes = sessionBytes
    self.sessionFiles = sessionFiles
    self.permissions = permissions
    self.camera = camera
    self.watchdog = watchdog
    self.idleTimeout = idleTimeout
    self.activityCap = activityCap
    self.lockState = lockState
    self.endsWhenLocked = endsWhenLocked
    self.launch = launch
    self.orientations = orientations
  }

  /// How the session stands before the person at the launch, before anybody knows how the machine is held.
  package var firstScene: SceneState {
    SceneState(orientation: orientations.first ?? SceneState().orientation)
  }
}
