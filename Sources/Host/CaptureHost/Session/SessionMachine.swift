// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
package import SessionStore

/// The life of one session as a value: events go in, actions come out, and the first cause of its end wins.
///
/// The machine does no I/O and reads no clock; whoever drives it says what time it is.
package struct SessionMachine: Sendable {
  /// Where the session is.
  enum Phase: Sendable, Equatable {
    /// The extension has not answered the first message yet.
    case starting
    /// It runs.
    case running
    /// It was told to end, and has until this time.
    case dismissing(until: UInt64)
    /// Its processes are being ended.
    case killed
  }

  /// The id of the first message, which the reply has to name.
  static let startRequest = RequestID.integer(1)

  let terms: SessionTerms
  /// When the session was launched, or when a debugger last left it: that is what its deadlines are counted from.
  var launched: UInt64
  var phase: Phase
  /// What ended the session first; nil while nothing has. How a dismissed extension ends is found out later.
  var cause: SessionOutcome?
  /// Whether the host has sent the extension the signal that asks it to end.
  var hasAsked = false
  var isSubscribed = false
  var isCameraRunning = false
  /// Whether the extension has asked for frames; few of them, in a file that has ended, are no fault of its own.
  var wantsCamera = false
  /// Why the camera gives no frames any more; nil: it does, or its film is over.
  var cameraLoss: CameraEnding?
  /// Why the microphone gives no sound any more; nil: it does, or its file is over.
  var microphoneLoss: MicrophoneEnding?
  /// The pressed buttons, and where they are.
  var pressed: [CaptureButton: CaptureSource] = [:]
  /// How many capture events the extension was told.
  var eventCount = 0
  /// Whether the extension sees to the sounds of remote buttons itself.
  var isDefaultSoundDisabled = false
  /// What was done with remote buttons.
  var remotePresses = RemotePresses()
  var hasControlBegun = false
  /// Whether the extension has answered the first message; one that speaks no protocol has none to answer.
  package internal(set) var hasAnswered: Bool
  var knownContext = JSONValue.null
  /// An extension that has closed its end before it answered is ending, or it breaks the protocol: known by then.
  var silentUntil: UInt64?
  /// When a silent program whose frames have ended is asked to end, too.
  var terminationTime: UInt64?
  /// The number of the newest frame that the extension says it has shown.
  package internal(set) var presentedFrame: UInt64 = 0

  /// What the app may use now.
  package internal(set) var permissions: Permissions
  /// Whether the machine is locked now.
  package internal(set) var lock: LockState
  /// How the session stands before the person.
  var scene: SceneState
  /// What an extension that is still starting has been told, and is told anew when it has answered.
  var told: (permissions: Permissions, lock: LockState, scene: SceneState)
  /// What watches the launch; nil: nothing does, or no longer.
  var watchdog: LaunchWatchdog?
  /// What the host has seen of the viewfinder.
  var viewfinder = ViewfinderEvidence()
  /// When the person, or the extension, last did something.
  var lastSign: UInt64
  /// When the person last did something to the extension, while that still allows it to open the app.
  var interaction: Interaction?
  /// How far the opening of the app is.
  var opening = ApplicationOpeningStage.none
  /// What of the camera the person can adjust.
  package internal(set) var cameraControls = CameraControls()
  /// The expiring activities of the extension, by name, with their reasons.
  var activities: [String: String] = [:]
  var activityCount = 0
  /// Whether a dismissal waits for activities beyond its grace.
  var isBeyondGrace = false

  /// How much room the extension has been told that there is.
  package var room = ContentRoom.State.free
  /// Whether files can grow.
  package var growth = GrowthValve.State.open

  /// How far a debugger is.
  var debugger = DebuggerStage.none
  /// What the record says of debuggers; nil: the session was launched for none.
  package internal(set) var debugging: SessionRecord.Debugging?
  /// The first message, until there is somebody to debug how it is answered.
  var deferredStart: SessionStart?

  /// What the person has done.
  enum Interaction: Sendable, Equatable {
    /// They have used the control that launched the session; good for one opening of the app.
    case control
    /// They have moved a capture button at this time.
    case event(UInt64)
  }

  /// A session that was just launched.
  package init(_ terms: SessionTerms, launchedAt now: UInt64) {
    self.terms = terms
    launched = now
    lastSign = now
    phase = terms.conversation == .messages ? .starting : .running
    hasAnswered = terms.conversation == .silent
    permissions = terms.permissions
    lock = terms.lockState
    if terms.debugger == .awaited { (debugger, debugging) = (.stopping, .requested) }
    scene = terms.firstScene
    told = (terms.permissions, terms.lockState, terms.firstScene)
    interaction = terms.launch.control == nil ? nil : .control
    if let time = terms.watchdog, terms.camera != nil, terms.permissions.camera == .authorized {
      watchdog = LaunchWatchdog(
        required: terms.conversation == .messages ? Set(CaptureRequirement.allCases) : [.viewfinder],
        time: time,
        armedAt: now
      )
    }
  }

  /// What is to be done at the very beginning.
  package mutating func begin(_ start: SessionStart) -> [SessionAction] {
    knownContext = start.appContext
    guard !isUnbegun else {
      deferredStart = start
      return []
    }
    return switch terms.conversation {
    case .messages: [.send(.request(id: Self.startRequest, .sessionStart(start)))]
    case .silent: [.startCamera(.every)] + beginControl()
    }
  }

  /// Whether the processes of the session are being ended.
  package var isEnding: Bool { phase == .killed }

  /// When the machine wants to be asked again (``timePassed(now:)``).
  package var nextDeadline: UInt64? {
    guard !timeStandsStill else { return nil }
    let deadlines: [UInt64?]
    switch phase {
    case .starting:
      deadlines = [
        launched + terms.launchDeadline, launched + terms.wallClock, silentUntil, watchdog?.nextDeadline,
      ]
    case .running:
      deadlines = [launched + terms.wallClock, controlDeadline, watchdog?.nextDeadline, idleDeadline]
    case .dismissing(let until): deadlines = [until, terminationTime]
    case .killed: deadlines = []
    }
    return deadlines.compactMap(\.self).min()
  }

  /// When time begins for the person even if the extension has not asked for all that it could use.
  private var controlDeadline: UInt64? { hasControlBegun ? nil : launched + terms.launchDeadline }

  /// When nobody has done anything for too long; nil: that may take as long as it likes, as it may while something is
  /// being finished or the person is being asked.
  private var idleDeadline: UInt64? {
    guard let time = terms.idleTimeout, activities.isEmpty, opening == .none else { return nil }
    return lastSign + time
  }
}

// MARK: - Time

extension SessionMachine {
  /// A deadline may have come.
  package mutating func timePassed(now: UInt64) -> [SessionAction] {
    guard let deadline = nextDeadline, now >= deadline else { return [] }
    switch phase {
    case .starting where now >= silentUntil ?? .max: return broke(Self.closedTooEarly)
    case .starting where now >= launched + terms.launchDeadline: return end(.timedOut(.launch))
    case .starting, .running:
      guard now < launched + terms.wallClock else { return end(.timedOut(.wallClock)) }
      if let idleDeadline, now >= idleDeadline { return dismiss(.idle, now: now) }
      let seen = watch(now)
      return isEnding || now < controlDeadline ?? .max ? seen : seen + beginControl()
    case .dismissing(let until):
      guard now < until else { return graceIsOver(now) }
      terminationTime = nil
      return ask()
    case .killed: return []
    }
  }

  /// Time begins for the person when a press would arrive.
  mutating func tellControl() -> [SessionAction] { isListening ? beginControl() : [] }

  /// Time begins for what the person does.
  mutating func beginControl() -> [SessionAction] {
    guard !hasControlBegun else { return [] }
    hasControlBegun = true
    return [.beginControl]
  }
}
