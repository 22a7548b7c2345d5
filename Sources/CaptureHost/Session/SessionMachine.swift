// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import JSONText
package import LinuxPrimitives
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
  private static let startRequest = RequestID.integer(1)

  private let terms: SessionTerms
  private let launched: UInt64
  private(set) var phase: Phase
  /// What ended the session first; nil while nothing has. How a dismissed extension ends is found out later.
  private(set) var cause: SessionOutcome?
  /// Whether the host has sent the extension the signal that asks it to end.
  private(set) var hasAsked = false
  private var isSubscribed = false
  private var isCameraRunning = false
  private var pressed: Set<CaptureButton> = []
  private var hasControlBegun = false
  private var knownContext = JSONValue.null
  /// An extension that has closed its end before it answered is ending, or it breaks the protocol: known by then.
  private var silentUntil: UInt64?
  /// When a silent program whose frames have ended is asked to end, too.
  private var terminationTime: UInt64?
  /// The number of the newest frame that the extension says it has shown.
  package private(set) var presentedFrame: UInt64 = 0

  /// A session that was just launched.
  package init(_ terms: SessionTerms, launchedAt now: UInt64) {
    self.terms = terms
    launched = now
    phase = terms.conversation == .messages ? .starting : .running
  }

  /// What is to be done at the very beginning.
  package mutating func begin(_ start: SessionStart) -> [SessionAction] {
    knownContext = start.appContext
    return switch terms.conversation {
    case .messages: [.send(.request(id: Self.startRequest, .sessionStart(start)))]
    case .silent: [.startCamera(.every)] + beginControl()
    }
  }

  /// Whether the processes of the session are being ended.
  package var isEnding: Bool { phase == .killed }

  /// When the machine wants to be asked again (``timePassed(now:)``).
  package var nextDeadline: UInt64? {
    switch phase {
    case .starting: min(launched + terms.launchDeadline, launched + terms.wallClock, silentUntil ?? .max)
    case .running: min(launched + terms.wallClock, controlDeadline ?? .max)
    case .dismissing(let until): min(until, terminationTime ?? .max)
    case .killed: nil
    }
  }

  /// When time begins for the person even if the extension has not asked for all that it could use.
  private var controlDeadline: UInt64? { hasControlBegun ? nil : launched + terms.launchDeadline }
}

// MARK: - Time and the world

extension SessionMachine {
  /// A deadline may have come.
  package mutating func timePassed(now: UInt64) -> [SessionAction] {
    guard let deadline = nextDeadline, now >= deadline else { return [] }
    switch phase {
    case .starting where now >= silentUntil ?? .max: return broke(Self.closedTooEarly)
    case .starting where now >= launched + terms.launchDeadline: return end(.timedOut(.launch))
    case .starting, .running:
      guard now < launched + terms.wallClock else { return end(.timedOut(.wallClock)) }
      return beginControl()
    case .dismissing(let until):
      guard now < until else { return outstay() }
      terminationTime = nil
      return ask()
    case .killed: return []
    }
  }

  /// The session directory was measured, and what the session keeps in files without a name, which is not in `bytes`.
  package mutating func measured(bytes: Int, files: Int, nameless: Int = 0) -> [SessionAction] {
    let (all, overflow) = bytes.addingReportingOverflow(nameless)
    if overflow || all > terms.sessionBytes {
      let part = nameless > 0 ? ", \(nameless) of them in files without a name" : ""
      return end(
        .violated(
          .init(.sessionBytes, detail: "\(overflow ? .max : all) bytes of \(terms.sessionBytes)\(part)")
        )
      )
    }
    if files > terms.sessionFiles {
      return end(.violated(.init(.sessionFiles, detail: "\(files) files of \(terms.sessionFiles)")))
    }
    return []
  }

  /// The scratch space of a session was measured that has it on disk.
  package mutating func measuredScratch(bytes: Int, files: Int, of space: ScratchSpace) -> [SessionAction] {
    if bytes > space.bytes {
      return end(.violated(.init(.sessionBytes, detail: "\(bytes) bytes in a container of \(space.bytes)")))
    }
    if files > ScratchSpace.files {
      return end(
        .violated(.init(.sessionFiles, detail: "\(files) files in a container of \(ScratchSpace.files)"))
      )
    }
    return []
  }

  /// The extension makes more refused calls than can be explained; so many they were.
  package mutating func refusalsFlooded(_ total: Int) -> [SessionAction] {
    end(.violated(.init(.refusals, detail: "\(total) refused calls")))
  }

  /// A limit of all processes together is broken.
  package mutating func exceeded(_ violation: SessionOutcome.Violation) -> [SessionAction] {
    end(.violated(violation))
  }

  /// The app context may have been changed by somebody; what the extension itself has stored is no news to it.
  package mutating func contextChanged(_ context: JSONValue) -> [SessionAction] {
    guard phase == .running, terms.conversation == .messages, context != knownContext else { return [] }
    knownContext = context
    return [.send(.notification(.contextChanged(context)))]
  }

  /// The extension knows this of the app context.
  package mutating func contextIsKnown(_ context: JSONValue) { knownContext = context }

  /// Somebody signals the host.
  package mutating func hostSignaled(_ signal: Signal, now: UInt64) -> [SessionAction] {
    switch (terms.conversation, signal) {
    case (.silent, .interrupt), (.silent, .quit), (.silent, .windowChanged):
      // The program's own terminal keys: what it does about them is its business.
      return [.signal(signal)]
    default:
      if case .dismissing = phase { return end(.dismissed(.init(by: .hostStopped))) }
      return dismiss(.hostStopped, now: now)
    }
  }

  /// The host itself can't go on with the session.
  package mutating func hostFailed(_ error: SystemCallError) -> [SessionAction] {
    end(.hostFailure(.init(.session, step: error.call, errno: error.errno.name, sentence: "\(error)")))
  }

  /// No more frames will come: the file has ended, or the camera has.
  package mutating func cameraEnded(now: UInt64) -> [SessionAction] {
    isCameraRunning = false
    // A silent program sees the end of its standard input; one that talks may go on with what it has.
    return terms.conversation == .silent ? [] : [.log(.notice, "the camera has no more frames")]
  }

  private mutating func dismiss(_ dismisser: SessionOutcome.Dismisser, now: UInt64) -> [SessionAction] {
    guard phase == .starting || phase == .running else { return [] }
    cause = .dismissed(.init(by: dismisser))
    phase = .dismissing(until: now + terms.dismissalGrace)
    var actions = cancelPresses()
    isCameraRunning = false
    switch terms.conversation {
    case .silent where terms.camera != nil:
      // The end of its frames first, so that a recorder can finish its file before a signal asks it to.
      terminationTime = now + terms.dismissalGrace / 2
      actions += [.stopCamera]
    case .silent:
      actions += ask()
    case .messages:
      let notice = DismissalNotice(
        reason: dismisser.told,
        grace: Double(terms.dismissalGrace) / 1_000_000_000
      )
      actions += [.send(.notification(.sessionWillDismiss(notice))), .stopCamera]
    }
    return actions
  }

  private mutating func ask() -> [SessionAction] {
    hasAsked = true
    return [.signal(.terminate)]
  }

  private mutating func outstay() -> [SessionAction] {
    if case .dismissed(var dismissal)? = cause {
      dismissal.ending = .outstayed
      cause = .dismissed(dismissal)
    }
    phase = .killed
    return [.kill]
  }

  private mutating func end(_ outcome: SessionOutcome) -> [SessionAction] {
    guard phase != .killed else { return [] }
    phase = .killed
    guard let cause else {
      cause = outcome
      return [.kill]
    }
    // The first cause stays the outcome, and what came after it is not lost: whoever dismisses again knows it.
    if case .dismissed = outcome { return [.kill] }
    return [.log(.notice, "after the outcome was settled (\(cause)), \(outcome)"), .kill]
  }

  private mutating func cancelPresses() -> [SessionAction] {
    defer { pressed = [] }
    return pressed.sorted { $0.rawValue < $1.rawValue }.map {
      .send(.notification(.captureEvent(CaptureEvent($0, .cancelled))))
    }
  }
}

// MARK: - The person

extension SessionMachine {
  /// A person does something.
  package mutating func commanded(_ command: SessionCommand, now: UInt64) -> [SessionAction] {
    switch command {
    case .dismiss: return dismiss(.person, now: now)
    case .quit: return end(.dismissed(.init(by: .person)))
    case .capture(let event): return deliver(event)
    }
  }

  /// Whether a press would arrive: as on Apple's systems, only where the camera runs, unless there is none to run.
  private var isListening: Bool { isSubscribed && (isCameraRunning || terms.camera == nil) }

  /// Events reach only an extension that listens.
  private mutating func deliver(_ event: CaptureEvent) -> [SessionAction] {
    guard phase == .running, isListening else {
      return event.phase == .began
        ? [
          .log(
            .notice,
            "a press of the \(event.button.rawValue) button reached nobody: the extension "
              + (isSubscribed ? "has no camera running" : "has not subscribed to capture events")
          )
        ] : []
    }
    switch event.phase {
    case .began: pressed.insert(event.button)
    case .ended, .cancelled: pressed.remove(event.button)
    }
    return [.send(.notification(.captureEvent(event)))]
  }
}

// MARK: - The extension

extension SessionMachine {
  /// The extension has sent something.
  package mutating func received(_ message: ExtensionMessage, now: UInt64) -> [SessionAction] {
    switch message {
    case .reply(let reply): return replied(reply)
    case .request(let id, let request):
      guard phase != .starting else { return broke(Self.tooEarly) }
      return requested(request, id, now: now)
    case .notification(.viewfinderPresented(let frame)):
      presentedFrame = max(presentedFrame, frame)
      return []
    case .notification(.log(let level, let text)): return [.log(level, text)]
    case .unknownRequest(let id, let method):
      let text = "the host knows no request \"\(method)\"; the protocol's document lists all"
      return [.send(.reply(Reply(id: id, error: .methodNotFound, text)))]
    case .unknownNotification: return []
    }
  }

  /// What the extension sent is no message.
  package mutating func violated(_ violation: ProtocolViolation) -> [SessionAction] {
    broke(violation.description)
  }

  /// The extension has closed its end; it may go on, but nothing that it asks for can be heard.
  package mutating func fellSilent(now: UInt64) -> [SessionAction] {
    // A program that fails at once closes everything a moment before its end is seen: that is no fault of its protocol.
    if phase == .starting { silentUntil = now + Self.endingTime }
    return []
  }

  /// How long a program may take to end after it has closed its descriptors, in nanoseconds.
  private static let endingTime: UInt64 = 1_000_000_000

  private static let closedTooEarly = "it closed host-out before it had answered session/start"

  private static let tooEarly =
    "its first message was not the reply to session/start; read host-in first and answer its id"

  private mutating func broke(_ sentence: String) -> [SessionAction] {
    end(.protocolViolation(.init(sentence: sentence)))
  }

  private mutating func replied(_ reply: Reply) -> [SessionAction] {
    guard phase == .starting else {
      if case .dismissing = phase { return [] }
      return broke("it replied to a message that is not waiting for a reply")
    }
    guard reply.id == Self.startRequest else { return broke(Self.tooEarly) }
    switch reply.outcome {
    case .success(let result): return accepted(result)
    case .failure(let error):
      let mismatch = VersionMismatch(offered: ProtocolVersion.spoken, spoken: error.spokenVersions)
      return broke(error.knownCode == .unsupportedVersion ? mismatch.description : "it refused: \(error)")
    }
  }

  private mutating func accepted(_ result: JSONValue) -> [SessionAction] {
    do throws(ProtocolViolation) {
      let answer = try SessionStartResult(result: result, of: HostMethod.sessionStart)
      guard ProtocolVersion.spoken.contains(answer.protocolVersion) else {
        return broke(
          VersionMismatch(offered: ProtocolVersion.spoken, spoken: [answer.protocolVersion]).description
        )
      }
    } catch { return broke(error.description) }
    phase = .running
    return []
  }

  private mutating func requested(
    _ request: ExtensionRequest,
    _ id: RequestID,
    now: UInt64
  ) -> [SessionAction] {
    switch request {
    case .cameraStart(let delivery): return startCamera(delivery, id)
    case .cameraStop:
      isCameraRunning = false
      return cancelPresses() + [.stopCamera, .send(.reply(Reply(id: id, result: Nothing())))]
    case .captureSubscribe:
      isSubscribed = true
      return [.send(.reply(Reply(id: id, result: Nothing())))] + tellControl()
    case .contextGet: return [.readContext(id)]
    case .contextUpdate(let context): return [.writeContext(context, id)]
    case .sessionDismiss:
      return [.send(.reply(Reply(id: id, result: Nothing())))] + dismiss(.extension, now: now)
    default:
      let text = "this host does not do \(request.method.rawValue)"
      return [.send(.reply(Reply(id: id, error: .methodNotFound, text)))]
    }
  }

  private mutating func startCamera(_ delivery: FrameDelivery, _ id: RequestID) -> [SessionAction] {
    guard phase == .running else {
      return [.send(.reply(Reply(id: id, error: .cameraUnavailable, "the session is being dismissed")))]
    }
    guard terms.permissions.camera == .authorized else {
      let text =
        "the app may not use the camera (\(terms.permissions.camera.rawValue)); open the app to ask for it"
      return [.send(.reply(Reply(id: id, error: .permissionDenied, text)))]
    }
    guard let camera = terms.camera else {
      let text = "this session has no camera; launch it with --camera FILE or --camera pattern"
      return [.send(.reply(Reply(id: id, error: .cameraUnavailable, text)))]
    }
    isCameraRunning = true
    let stream = CameraStream(
      width: camera.width,
      height: camera.height,
      format: camera.format,
      frameRate: camera.frameRate
    )
    return [.startCamera(delivery), .send(.reply(Reply(id: id, result: stream)))] + tellControl()
  }

  /// Time begins for the person when a press would arrive.
  private mutating func tellControl() -> [SessionAction] { isListening ? beginControl() : [] }

  private mutating func beginControl() -> [SessionAction] {
    guard !hasControlBegun else { return [] }
    hasControlBegun = true
    return [.beginControl]
  }
}
