// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CameraSource
package import ExtensionProtocol
package import LaunchPlanning
internal import LinuxPrimitives
package import SandboxEnforcement
internal import SandboxPolicy
package import SessionStore

/// A request to run a session.
package struct SessionRequest {
  /// The program with its arguments, environment and policy.
  package var subject: LaunchTarget
  /// The extension in the session record.
  package var `extension`: Extension
  /// The ID of a session that is launched cold, or `nil` for a new one.
  package var session: SessionID?
  /// The protocol between the extension and the host.
  package var conversation: SessionTerms.Conversation
  /// The sources of frames and sound.
  package var devices: Devices
  /// The deadlines and timeouts.
  package var times: Times
  /// The standard input, output and error of the extension.
  package var standard: StandardStreams
  /// The digests of the content files in the session record.
  package var digests = DigestChoice.none
  /// The rule for dismissing the session when the screen is locked.
  package var lockDismissal = LockDismissal.fromLockScreen
  /// The orientations that the extension supports, in the order of its preference. An empty list means any
  /// orientation.
  package var orientations: [SceneOrientation] = []
  /// The file or pipe to which the viewfinder is written, or `nil` for none.
  package var previewPath: String?
  /// The display that shows the viewfinder instead of a file, or `nil` for none.
  package var previewScreen: (any PreviewDisplay)?
  /// The listener to the sound of the microphone, or `nil` for none.
  package var soundListener: (any SoundListening)?
  /// Whether the program waits for a debugger before its first instruction.
  package var debugger = SessionTerms.Debugger.none
  /// The calls that are recorded in learning mode, or `nil` to enforce the filter, which is the default.
  package var learning: LearningScope?
  /// Whether the extension may be prewarmed.
  package var preparation = Preparation.atLaunch
  /// The standard input, output and error of the caller.
  package var streams: [Int32] = [0, 1, 2]
  /// The ID of the process that dismisses the session when it receives a signal.
  package var hostProcess = CurrentProcess.processID
  /// The space that the session may use, limited by the quota of its app and by the file system.
  package var quota = SessionQuota()
  /// The services that the session depends on.
  package var dependencies: SessionDependencies
  /// Receives messages for the user before the session starts.
  package var notice: (String) -> Void = { _ in }
  /// The time at which refused calls are reported to the user.
  package var refusalReport = RefusalReport.atEnd
  /// The observer of the session, or `nil` for none.
  package var observer: (any SessionObserving)?

  /// The time at which refused calls are reported to the user.
  package enum RefusalReport: Sendable, Hashable {
    /// After the session has ended.
    case atEnd
    /// While the session runs, through ``notice``, and after it has ended.
    case whileRunning
  }

  /// Creates a request.
  ///
  /// By default, the screen is never locked, and the app may use the camera if the extension takes frames. An
  /// extension without a usage description for the camera never receives any.
  package init(
    subject: LaunchTarget,
    extension: Extension,
    conversation: SessionTerms.Conversation,
    devices: Devices,
    times: Times = Times(),
    standard: StandardStreams,
    dependencies: SessionDependencies? = nil
  ) {
    self.subject = subject
    self.extension = `extension`
    self.conversation = conversation
    self.devices = devices
    self.times = times
    self.standard = standard
    self.dependencies =
      dependencies ?? .fixed(Permissions(camera: devices.frames == .none ? .notDetermined : .authorized))
  }

  /// Whether the session can be shown copies of photo library assets, which an extension requests by
  /// messages.
  var hasLibrary: Bool { conversation == .messages }

  /// The maximum size of the session content directory, in bytes.
  package var maximumBytes: Int {
    let most = subject.policy.limits.sessionBytes
    return quota.bytes.map { min(most, Int(clamping: $0)) } ?? most
  }

  /// The rule for the content, as set by the policy.
  var contentRule: ContentRule {
    let policy = subject.policy
    let form: ContentRule.Form =
      switch policy.content {
      case .portable: .portable
      case .asWritten: .asWritten
      }
    return ContentRule(form, maximumBytes: Int64(policy.limits.sessionBytes))
  }

  /// The default time that an extension may take to exit after its dismissal, in seconds.
  package static let standardGrace = 5.0

  /// The time that an extension has to meet the requirements of the watchdog.
  package enum WatchdogTime: Sendable, Hashable {
    /// The launch deadline from the manifest.
    case asLaunchDeadline
    /// A number of seconds, whatever the manifest says.
    case seconds(Double)
    /// No watchdog.
    case off
  }

  /// The rule for dismissing running sessions when the screen is locked.
  package enum LockDismissal: Sendable, Hashable {
    /// Dismiss sessions that were launched from the lock screen.
    case fromLockScreen
    /// Dismiss every session.
    case always
    /// Dismiss no session.
    case never
  }

  /// The transport of frames to an extension.
  package enum FrameTransport: Sendable, Hashable {
    /// No frames.
    case none
    /// Shared memory.
    case ring
    /// A YUV4MPEG stream on standard input.
    case stream(FramePace)
  }

  /// The standard streams of an extension.
  package enum StandardStreams: Sendable, Hashable {
    /// Input is empty. Output and error are written to the session's log, with a copy to this descriptor.
    case logged(echo: Int32?)
    /// The streams of the caller.
    case inherited
    /// Input is the caller's. Output and error are both the caller's standard error, which keeps the caller's
    /// output separate.
    case outputToError
  }
}

extension SessionRequest {
  /// The extension of a session.
  package struct Extension: Sendable {
    /// The app that the captures belong to.
    package var app: AppStore
    /// The ID of the extension in the session record.
    package var id: String
    /// The digest of the policy documents.
    package var policyDigest: String
    /// The digest of the program, or `nil` if it was not pinned.
    package var executableDigest: String?
    /// The installed extension, or `nil` for another program.
    package var installed: InstalledExtension?

    /// Creates a description of an extension.
    package init(
      app: AppStore,
      id: String,
      policyDigest: String,
      executableDigest: String? = nil,
      installed: InstalledExtension? = nil
    ) {
      self.app = app
      self.id = id
      self.policyDigest = policyDigest
      self.executableDigest = executableDigest
      self.installed = installed
    }
  }

  /// The sources of frames and sound.
  package struct Devices {
    /// The transport of the frames.
    package var frames: FrameTransport
    /// The source of the frames in the form that ``FrameSourceOpener`` reads, or `nil` for none.
    package var camera: String?
    /// Replaces the camera's source of frames by a source that wraps it, or `nil` to use the source itself.
    package var cameraReplacement: ((any FrameSource) -> any FrameSource)?
    /// The source of the sound in the form that ``SoundSource/MicrophoneSpecification`` reads, or `nil` for
    /// none.
    package var microphone: String?

    /// Creates a description without a replacement of the camera.
    package init(frames: FrameTransport, camera: String? = nil, microphone: String? = nil) {
      self.frames = frames
      self.camera = camera
      self.microphone = microphone
    }

    /// A program that reads the frames of a camera from its standard input, if there is one.
    package static func stream(from camera: String?) -> Devices {
      Devices(frames: camera == nil ? .none : .stream(.frameRate), camera: camera)
    }
  }

  /// The deadlines and timeouts of a session, in seconds.
  package struct Times: Sendable, Hashable {
    /// The time that the extension may take to answer the first message, after its launch.
    package var launchDeadline: Double
    /// The time that the extension may take to exit after its dismissal.
    package var dismissalGrace: Double
    /// The time that the extension has to meet the requirements of the watchdog.
    package var watchdog: WatchdogTime
    /// The time after which an idle session is dismissed, or 0 for never.
    package var idleTimeout = 0.0
    /// The time for which a dismissal waits for expiring activities beyond the grace period.
    package var activityCap = 30.0

    /// Creates times without an idle timeout.
    package init(
      launchDeadline: Double = 10,
      dismissalGrace: Double = SessionRequest.standardGrace,
      watchdog: WatchdogTime = .asLaunchDeadline
    ) {
      self.launchDeadline = launchDeadline
      self.dismissalGrace = dismissalGrace
      self.watchdog = watchdog
    }
  }
}
