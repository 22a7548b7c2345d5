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
  /// The deadlines and timeouts.
  package var times: Times
  /// The limits of the session content directory.
  package var content: Content
  /// The circumstances of the launch.
  package var launch: Launch
  /// The devices of the session.
  package var devices: Devices
  /// The lead of the extension's monotonic clock over the host's monotonic clock, in nanoseconds.
  package var clockLead: Int64 = 0

  /// Creates terms for a session that does not wait for a debugger.
  package init(
    conversation: Conversation,
    times: Times,
    content: Content,
    launch: Launch,
    devices: Devices = Devices()
  ) {
    self.conversation = conversation
    self.times = times
    self.content = content
    self.launch = launch
    self.devices = devices
  }

  /// The state of the scene at the launch, before the orientation of the device is known.
  package var initialScene: SceneState {
    SceneState(orientation: launch.orientations.first ?? SceneState().orientation)
  }
}

extension SessionTerms {
  /// The deadlines and timeouts of a session, in nanoseconds.
  package struct Times: Sendable {
    /// The time that an extension with messages may take to answer the first message, after the launch.
    package var launchDeadline: UInt64
    /// The time that the extension may take to exit after its dismissal.
    package var dismissalGrace: UInt64
    /// The maximum duration of the session.
    package var wallClock: UInt64
    /// The time that the extension has to meet the requirements of the watchdog, after the launch, or `nil`
    /// for no watchdog.
    package var watchdog: UInt64?
    /// The time after which an idle session is dismissed, or `nil` for never.
    package var idleTimeout: UInt64?
    /// The time for which a dismissal waits for expiring activities beyond the grace period.
    package var activityCap: UInt64 = 30_000_000_000

    /// Creates times without a watchdog and an idle timeout.
    package init(launchDeadline: UInt64, dismissalGrace: UInt64, wallClock: UInt64) {
      self.launchDeadline = launchDeadline
      self.dismissalGrace = dismissalGrace
      self.wallClock = wallClock
    }
  }

  /// The limits of a session content directory.
  package struct Content: Sendable {
    /// The maximum size, in bytes.
    package var bytes: Int
    /// The maximum number of files and directories.
    package var files: Int
    /// The bytes by which the content may exceed its limit before the session is terminated.
    ///
    /// Growing files are stopped at the limit. Much can grow between two measurements, and some writes cannot
    /// be refused.
    package var overshoot = 0
    /// The reason for the limit: the session's own limit, or the quota of its app.
    package var reason = ContentRoom.Reason.session

    /// Creates the limits of a session.
    package init(bytes: Int, files: Int) {
      self.bytes = bytes
      self.files = files
    }
  }

  /// The circumstances of a launch.
  package struct Launch: Sendable {
    /// The origin of the launch.
    package var origin: LaunchOrigin
    /// The lock state at the launch.
    package var lockState: LockState
    /// Whether the session is dismissed when the screen is locked while it runs.
    package var endsWhenLocked: Bool
    /// The permissions of the app at the launch.
    package var permissions: Permissions
    /// The orientations that the extension supports, in the order of its preference. An empty list means any
    /// orientation.
    package var orientations: [SceneOrientation]

    /// Creates the circumstances of a launch.
    package init(
      origin: LaunchOrigin = .commandLine,
      lockState: LockState = .unlocked,
      endsWhenLocked: Bool = false,
      permissions: Permissions,
      orientations: [SceneOrientation] = []
    ) {
      self.origin = origin
      self.lockState = lockState
      self.endsWhenLocked = endsWhenLocked
      self.permissions = permissions
      self.orientations = orientations
    }
  }

  /// The devices of a session.
  package struct Devices: Sendable {
    /// The camera, or `nil` if there is none.
    package var camera: CameraDescription?
    /// The maximum number of camera controls, or 0 if no user can adjust them.
    package var maximumCameraControls: Int
    /// The sound ring, or `nil` if there is no microphone.
    package var microphone: MicrophoneStream?

    /// Creates a list of devices.
    package init(
      camera: CameraDescription? = nil,
      maximumCameraControls: Int = 0,
      microphone: MicrophoneStream? = nil
    ) {
      self.camera = camera
      self.maximumCameraControls = maximumCameraControls
      self.microphone = microphone
    }
  }
}
