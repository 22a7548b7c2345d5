// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
package import SessionStore

/// The state machine of one session: events go in, actions come out, and the first cause of its end is the
/// outcome.
///
/// The machine does no I/O and reads no clock. Its driver passes the time with each event.
package struct SessionMachine: Sendable {
  /// The phase of the session.
  enum Phase: Sendable, Equatable {
    /// The extension has not answered the first message yet.
    case starting
    /// The extension is running.
    case running
    /// The extension was dismissed, and may run until this time.
    case dismissing(until: UInt64)
    /// The processes are being killed.
    case killed
  }

  /// The ID of the first message, which the reply must contain.
  static let startRequest = RequestID.integer(1)

  let terms: SessionTerms
  /// The start of the deadlines: the launch of the session, or the time at which a debugger last detached.
  var launched: UInt64
  var phase: Phase
  /// The first cause of the session's end, or `nil`. The ending of a dismissed extension is added later.
  var cause: SessionOutcome?
  /// Whether the host has sent the signal that requests the extension to exit.
  var hasSentTermination = false
  /// Whether the extension has subscribed to capture events.
  var isSubscribed = false
  var isCameraRunning = false
  /// Whether the extension has requested frames. The value stays `true` at the end of a file.
  var wantsCamera = false
  /// The reason why the camera was lost, or `nil` if it was not. The end of a file is not a loss.
  var cameraLoss: CameraEndNotice?
  /// The reason why the microphone was lost, or `nil` if it was not. The end of a file is not a loss.
  var microphoneLoss: MicrophoneEndNotice?
  /// The pressed buttons with the sources of the presses.
  var pressed: [CaptureButton: CaptureSource] = [:]
  /// Whether the extension has subscribed to pointer events.
  var isPointerSubscribed = false
  /// The contacts with the viewfinder.
  var contacts = PointerContacts()
  /// The number of capture events that were sent.
  var eventCount = 0
  /// Whether the extension plays the sounds of remote buttons itself.
  var isDefaultSoundDisabled = false
  /// The recent presses of remote buttons.
  var remotePresses = RemotePresses()
  /// Whether the control was started.
  var hasControlBegun = false
  /// Whether the extension has answered the first message. Always `true` for an extension without messages.
  package internal(set) var hasAnswered: Bool
  /// The app context that the extension knows.
  var knownContext = JSONValue.null
  /// The time until which an extension that closed its end before it answered must exit. After it, the
  /// extension violates the protocol.
  var exitDeadline: UInt64?
  /// The time at which a silent program is sent the termination signal, after the end of its frames.
  var terminationTime: UInt64?
  /// The number of the newest frame that the extension has reported as shown.
  package internal(set) var presentedFrame: UInt64 = 0

  /// The current permissions of the app.
  package internal(set) var permissions: Permissions
  /// The current lock state.
  package internal(set) var lock: LockState
  /// The current state of the scene.
  var scene: SceneState
  /// The state that was last reported to the extension, from which missed changes are found.
  var reportedState: (permissions: Permissions, lock: LockState, scene: SceneState)
  /// The launch watchdog, or `nil` if there is none or it was disarmed.
  var watchdog: LaunchWatchdog?
  /// The observed state of the viewfinder.
  var viewfinder = ViewfinderStatus()
  /// The time of the last activity of the user or the extension.
  var lastActivity: UInt64
  /// The last user interaction, while it permits opening the app.
  var interaction: Interaction?
  /// The stage of opening the app.
  var opening = ApplicationOpeningStage.none
  /// The camera controls.
  package internal(set) var cameraControls = CameraControls()
  /// The reasons of the expiring activities, by name.
  var activities: [String: String] = [:]
  /// The number of expiring activities so far.
  var activityCount = 0
  /// Whether a dismissal waits for activities beyond its grace period.
  var isBeyondGrace = false

  /// The state of the space that was last reported to the extension.
  package var reportedSpace = ContentRoom.State.free
  /// Whether files can grow.
  package var fileSizeLimiter = FileSizeLimiter.State.inactive

  /// The stage of a debugging session.
  var debugger = DebuggerStage.none
  /// The debugging entry of the session record, or `nil` if the session was not launched for a debugger.
  package internal(set) var debugging: SessionRecord.Debugging?
  /// The first message, until a debugger has attached.
  var deferredStart: SessionStart?

  /// A user interaction.
  enum Interaction: Sendable, Equatable {
    /// The user launched the session with a control, which permits opening the app once.
    case control
    /// The user pressed or released a capture button, or touched the viewfinder, at this time.
    case event(UInt64)
  }

  /// Creates the machine of a session that was just launched.
  package init(_ terms: SessionTerms, launchedAt now: UInt64) {
    self.terms = terms
    launched = now
    lastActivity = now
    phase = terms.conversation == .messages ? .starting : .running
    hasAnswered = terms.conversation == .silent
    permissions = terms.launch.permissions
    lock = terms.launch.lockState
    if terms.debugger == .required { (debugger, debugging) = (.stopping, .requested) }
    scene = terms.initialScene
    reportedState = (terms.launch.permissions, terms.launch.lockState, terms.initialScene)
    interaction = terms.launch.origin.control == nil ? nil : .control
    if let time = terms.times.watchdog, terms.devices.camera != nil,
      terms.launch.permissions.camera == .authorized
    {
      watchdog = LaunchWatchdog(
        required: terms.conversation == .messages ? Set(CaptureRequirement.allCases) : [.viewfinder],
        time: time,
        armedAt: now
      )
    }
  }

  /// Starts the session. Returns the first actions.
  package mutating func begin(_ start: SessionStart) -> [SessionAction] {
    knownContext = start.appContext
    guard !isAwaitingDebugger else {
      deferredStart = start
      return []
    }
    return switch terms.conversation {
    case .messages: [.send(.request(id: Self.startRequest, .sessionStart(start)))]
    case .silent: [.startCamera(.every)] + beginControl()
    }
  }

  /// Whether the processes of the session are being killed.
  package var isEnding: Bool { phase == .killed }

  /// Whether the session was dismissed, or its processes are being killed.
  package var hasBegunToEnd: Bool {
    switch phase {
    case .starting, .running: false
    case .dismissing, .killed: true
    }
  }

  /// The time at which ``timePassed(now:)`` is to be called, or `nil` if there is none.
  package var nextDeadline: UInt64? {
    guard !areDeadlinesSuspended else { return nil }
    let deadlines: [UInt64?]
    switch phase {
    case .starting:
      deadlines = [
        launched + terms.times.launchDeadline, launched + terms.times.wallClock, exitDeadline,
        watchdog?.nextDeadline,
      ]
    case .running:
      deadlines = [
        launched + terms.times.wallClock, controlDeadline, watchdog?.nextDeadline, idleDeadline,
        contacts.nextDeadline,
      ]
    case .dismissing(let until): deadlines = [until, terminationTime]
    case .killed: deadlines = []
    }
    return deadlines.compactMap(\.self).min()
  }

  /// The time at which the control starts even if the extension accepts no input.
  private var controlDeadline: UInt64? { hasControlBegun ? nil : launched + terms.times.launchDeadline }

  /// The time at which the session is dismissed as idle. The value is `nil` without an idle timeout, during
  /// an expiring activity, and while the app is being opened.
  private var idleDeadline: UInt64? {
    guard let time = terms.times.idleTimeout, activities.isEmpty, opening == .none else { return nil }
    return lastActivity + time
  }
}

// MARK: - Time

extension SessionMachine {
  /// Handles the deadlines that have passed.
  package mutating func timePassed(now: UInt64) -> [SessionAction] {
    guard let deadline = nextDeadline, now >= deadline else { return [] }
    switch phase {
    case .starting where now >= exitDeadline ?? .max: return endForViolation(Self.closedTooEarly)
    case .starting where now >= launched + terms.times.launchDeadline: return end(.timedOut(.launch))
    case .starting, .running:
      guard now < launched + terms.times.wallClock else { return end(.timedOut(.wallClock)) }
      if let idleDeadline, now >= idleDeadline { return dismiss(.idle, now: now) }
      let seen = sendDueMoves(now) + updateWatchdog(now)
      return isEnding || now < controlDeadline ?? .max ? seen : seen + beginControl()
    case .dismissing(let until):
      guard now < until else { return graceExpired(now) }
      terminationTime = nil
      return requestTermination()
    case .killed: return []
    }
  }

  /// Starts the control if a press would reach the extension.
  mutating func beginControlIfListening() -> [SessionAction] { acceptsPresses ? beginControl() : [] }

  /// Starts the control.
  mutating func beginControl() -> [SessionAction] {
    guard !hasControlBegun else { return [] }
    hasControlBegun = true
    return [.beginControl]
  }
}
