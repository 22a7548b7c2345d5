// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The fixed parameters of a session: deadlines, limits, permissions, and protocol.
package struct SessionTerms: Sendable {
  /// The protocol between the extension and the host.
  package enum Conversation: Sendable, Equatable {
    /// Messages in both directions.
    case messages
    /// No messages.
    case silent
  }

  /// Whether the program waits for a debugger.
  package enum Debugger: Sendable, Equatable {
    /// The program does not wait.
    case none
    /// The program is stopped before its first instruction until a debugger has attached.
    case required
  }

  /// The protocol between the extension and the host.
  package var conversation: Conversation
  /// Whether the program waits for a debugger.
  package var debugger = Debugger.none
  /// The time that an extension with messages may take to answer the first message, in nanoseconds after the
  /// launch.
  package var launchDeadline: UInt64
  /// The time that the extension may take to exit after its dismissal, in nanoseconds.
  package var dismissalGrace: UInt64
  /// The maximum duration of the session, in nanoseconds.
  package var wallClock: UInt64
  /// The maximum size of the session content directory, in bytes.
  package var sessionBytes: Int
  /// The bytes by which the content may exceed its limit before the session is terminated.
  ///
  /// Growing files are stopped at the limit. Much can grow between two measurements, and some writes cannot
  /// be refused.
  package var overshoot = 0
  /// The maximum number of files and directories in the session content directory.
  package var sessionFiles: Int
  /// The reason for the limit of the content: the session's own limit, or the quota of its app.
  package var contentLimitReason = ContentRoom.Reason.session
  /// The time that the extension has to meet the requirements of the watchdog, in nanoseconds after the
  /// launch, or `nil` for no watchdog.
  package var watchdog: UInt64?
  /// The time after which an idle session is dismissed, in nanoseconds, or `nil` for never.
  package var idleTimeout: UInt64?
  /// The time for which a dismissal waits for expiring activities beyond the grace period, in nanoseconds.
  package var activityCap: UInt64
  /// The lock state at the launch.
  package var lockState: LockState
  /// Whether the session is dismissed when the screen is locked while it runs.
  package var endsWhenLocked: Bool
  /// The origin of the launch.
  package var launch: LaunchOrigin
  /// The orientations that the extension supports, in the order of its preference. An empty list means any
  /// orientation.
  package var orientations: [SceneOrientation]
  /// The permissions of the app at the launch.
  package var permissions: Permissions
  /// The camera of the session, or `nil` if there is none.
  package var camera: CameraDescription?
  /// The maximum number of camera controls, or 0 if no user can adjust them.
  package var mostCameraControls = 0
  /// The sound ring of the session, or `nil` if there is no microphone.
  package var microphone: MicrophoneStream?

  /// Creates terms.
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

  /// The state of the scene at the launch, before the orientation of the device is known.
  package var initialScene: SceneState {
    SceneState(orientation: orientations.first ?? SceneState().orientation)
  }
}
