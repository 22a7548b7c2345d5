// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CameraSource
package import ExtensionProtocol
package import LaunchPlanning
internal import LinuxPrimitives
package import SandboxEnforcement
internal import SandboxPolicy
package import SessionStore

/// What a person asks for when launching a session.
package struct SessionRequest {
  /// What is to run.
  package var subject: LaunchSubject
  /// The app that the captures belong to.
  package var app: AppStore
  /// The extension's id, as the record names it.
  package var extensionID: String
  /// The digest of the policy's documents.
  package var policyDigest: String
  /// The digest of the program, where it was pinned.
  package var executableDigest: String?
  /// How the extension and the host understand each other.
  package var conversation: SessionTerms.Conversation
  /// How frames reach the extension.
  package var frames: FrameWay
  /// Where frames come from, as ``FrameSourceOpener`` reads it; nil for none.
  package var camera: String?
  /// Replaces the camera's source of frames by another one that uses it; `nil` if the frames are the camera's own.
  package var cameraReplacement: ((any FrameSource) -> any FrameSource)?
  /// Where sound comes from, as ``SoundSource/MicrophoneSpecification`` reads it; nil for nowhere.
  package var microphone: String?
  /// When the extension must have answered, in seconds after its launch.
  package var launchDeadline: Double
  /// How long the extension may take to end after its dismissal, in seconds.
  package var dismissalGrace: Double
  /// What the extension's standard input, output and error are.
  package var standard: StandardStreams
  /// Whether the record holds a digest of each file.
  package var digests: DigestChoice
  /// How long the extension has for what the watchdog requires.
  package var watchdog = WatchdogTime.asLaunchDeadline
  /// How many seconds nobody need do anything; 0: for ever.
  package var idleTimeout = 0.0
  /// How many seconds a dismissal waits beyond its grace for expiring activities.
  package var activityCap = 30.0
  /// Whether the session ends when the machine is locked while it runs.
  package var lockDismissal = LockDismissal.fromLockScreen
  /// The orientations that the extension can draw in, in the order of its preference; empty: any.
  package var orientations: [SceneOrientation] = []
  /// The file or the pipe that shows the viewfinder; nil for none.
  package var previewPath: String?
  /// What shows the viewfinder instead of a file; nil for nothing.
  package var previewScreen: (any PreviewScreen)?
  /// Whether a debugger is waited for before the extension's first instruction.
  package var debugger = SessionTerms.Debugger.none
  /// Which calls the session is learned from; nil, as always without being asked for: none, and the filter is closed.
  package var learning: LearningScope?
  /// Whether the program may be started ahead of its launch, where the host can.
  package var preparation = Preparation.atLaunch
  /// The installed extension that this is; nil: it is none.
  package var installed: InstalledExtension?
  /// The standard input, output and error of whoever runs the session.
  package var streams: [Int32] = [0, 1, 2]
  /// The process that ends the session in order when it is sent a signal.
  package var hostProcess = CurrentProcess.processID
  /// What the session may take of what its app and its file system have left.
  package var room = SessionRoom()
  /// What the session finds around it.
  package var surroundings: SessionSurroundings
  /// Is told what a person has to know before the session begins, in a sentence.
  package var notice: (String) -> Void = { _ in }
  /// When people are told of refused calls.
  package var refusalReport = RefusalReport.atEnd

  /// When people are told of refused calls.
  package enum RefusalReport: Sendable, Hashable {
    /// When the session has ended.
    case atEnd
    /// Also while it goes on, by ``notice``.
    case whileRunning
  }

  /// Makes a request. Without surroundings the machine is never locked, and the app may use the camera if the
  /// extension takes frames: one whose manifest gives no reason for the camera was never given any.
  package init(
    subject: LaunchSubject,
    app: AppStore,
    extensionID: String,
    policyDigest: String,
    executableDigest: String? = nil,
    conversation: SessionTerms.Conversation,
    frames: FrameWay,
    camera: String? = nil,
    launchDeadline: Double = 10,
    dismissalGrace: Double = SessionRequest.standardGrace,
    standard: StandardStreams,
    digests: DigestChoice = .none,
    surroundings: SessionSurroundings? = nil
  ) {
    self.subject = subject
    self.app = app
    self.extensionID = extensionID
    self.policyDigest = policyDigest
    self.executableDigest = executableDigest
    self.conversation = conversation
    self.frames = frames
    self.camera = camera
    self.launchDeadline = launchDeadline
    self.dismissalGrace = dismissalGrace
    self.standard = standard
    self.digests = digests
    self.surroundings =
      surroundings ?? .fixed(Permissions(camera: frames == .none ? .notDetermined : .authorized))
  }

  /// Whether it can be shown copies of what the person has in the photo library: only who talks can ask for any.
  var hasLibrary: Bool { conversation == .messages }

  /// The most bytes that the session directory may hold.
  package var mostBytes: Int {
    let most = subject.policy.limits.sessionBytes
    return room.bytes.map { min(most, Int(clamping: $0)) } ?? most
  }

  /// The bounds of the content, as the policy sets them.
  var contentRule: ContentRule {
    let policy = subject.policy
    let form: ContentRule.Form =
      switch policy.content {
      case .portable: .portable
      case .asWritten: .asWritten
      }
    return ContentRule(form, mostBytes: Int64(policy.limits.sessionBytes))
  }

  /// How long an extension may take to end where nobody says otherwise, in seconds.
  package static let standardGrace = 5.0

  /// How long an extension has for what the watchdog requires.
  package enum WatchdogTime: Sendable, Hashable {
    /// As long as for its first answer, which its manifest says.
    case asLaunchDeadline
    /// So many seconds, whatever the manifest says.
    case seconds(Double)
    /// Nothing watches.
    case off
  }

  /// Which sessions end when the machine is locked while they run.
  package enum LockDismissal: Sendable, Hashable {
    /// Those that were launched from the lock screen, when it comes back.
    case fromLockScreen
    /// Every one.
    case always
    /// None.
    case never
  }

  /// How frames reach an extension.
  package enum FrameWay: Sendable, Hashable {
    /// Not at all.
    case none
    /// In shared memory.
    case ring
    /// As a YUV4MPEG stream on standard input.
    case stream(FramePace)
  }

  /// What the standard streams of an extension are.
  package enum StandardStreams: Sendable, Hashable {
    /// Input is empty; output and error go to the session's log, with a copy to this descriptor.
    case logged(echo: Int32?)
    /// Those of whoever runs the session.
    case inherited
    /// Input is theirs; output and error both go to their standard error, so that their output is their own.
    case aside
  }
}
