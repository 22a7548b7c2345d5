// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives
internal import ViewfinderLink

/// The screens of a Wayland compositor, locked (ext-session-lock-v1): a place to type the password, a button of the camera,
/// and the viewfinder of a session that was launched there. `darkroom-window` draws it.
///
/// If that program ends, or this process does, the compositor keeps its screens locked, and shows nothing on them.
///
/// It is the hand on a session too that shows nothing: its keys are heard from ``beginSession()`` on, with a viewfinder or
/// without.
///
/// The messages are those of a window (``WindowViewfinder``), and those that only a lock has. After the end of a session the
/// program stays, and another ring may follow. Belongs to one thread.
package final class LockScreen: PreviewScreen, SessionControl {
  /// How long the program may take until the screens are locked, in nanoseconds.
  private static let patience: UInt64 = 15_000_000_000
  /// How long it may take to say its last words, and then to end, in nanoseconds.
  private static let farewell: UInt64 = 2_000_000_000
  /// The most of anything that waits; what is more is forgotten.
  private static let mostWaiting = 64

  /// What the person does who is in front of it.
  package enum Event: Equatable, Sendable {
    /// They want the camera.
    case camera
    /// They have typed something, and it is with the answers.
    case answer
    /// The program has ended by itself: the screens are locked and dark.
    case lost(String)
  }

  private let helper: ViewfinderHelper
  /// Where what was typed goes, a line for each.
  private let answers: HeldDescriptor
  /// Whether there is a button of the camera.
  private let hasCamera: Bool
  private var typed = TypedAnswer()
  private var mood = LockFace.Mood.idle
  private var events: [Event] = []
  private var commands: [SessionCommand] = []
  private var keys = WindowKeys()
  /// Whether a session is in front of the lock.
  private var isInSession = false
  private var total = ""
  /// Whether a frame is on its way.
  package private(set) var isBusy = false
  /// Whether the person is asked in mid-session: then what is typed is an answer.
  package var isAsking = false {
    didSet { if isAsking != oldValue { show(.idle) } }
  }
  /// Is told in a sentence that a session is not shown any more.
  package var whenLost: (String) -> Void = { _ in }

  private init(_ helper: ViewfinderHelper, _ answers: HeldDescriptor, _ hasCamera: Bool) {
    (self.helper, self.answers, self.hasCamera) = (helper, answers, hasCamera)
    show(.idle)
  }

  /// Locks the screens of the compositor whose socket this is. `beside` is the directory of the program; nil: that of this
  /// one. Throws if they were not locked.
  package static func lock(
    at socket: String,
    answers: HeldDescriptor,
    hasCamera: Bool,
    beside directory: String? = nil
  ) throws(WindowViewfinderError) -> LockScreen {
    let helper = try WindowViewfinder.startProgram(["lock", socket], within: patience, beside: directory)
    return LockScreen(helper, answers, hasCamera)
  }

  /// Whether anybody can see anything.
  package var isOpen: Bool { helper.isOpen }
  package var writable: Int32? { nil }
  package var readable: Int32? { helper.isOpen ? helper.readable : nil }

  /// What the person has done next; nil: nothing more.
  package func takeEvent() -> Event? {
    if events.isEmpty { flush() }
    return events.isEmpty ? nil : events.removeFirst()
  }

  /// Forgets what the person has done and nobody has taken, because it was meant for something that is over.
  package func forgetEvents() {
    flush()
    events.removeAll { if case .lost = $0 { false } else { true } }
  }

  /// Shows that it was not the person, or that they cannot have what they wanted.
  package func refuse() { show(.wrong) }

  /// Shows how far the person is. What was typed is forgotten.
  private func show(_ mood: LockFace.Mood) {
    self.mood = mood
    typed.removeAll()
    tellFace()
  }

  private func tellFace() {
    let situation: LockFace.Situation =
      isAsking ? .asking : isInSession ? .session : hasCamera ? .camera : .waiting
    let face = LockFace(characters: typed.characters, mood: mood, situation: situation)
    _ = take(helper.send(.face, Array(face.text.utf8)))
  }

  /// Unlocks, for good; whether the compositor has heard it.
  package func unlock() -> Bool {
    guard take(helper.send(.unlock, [])) else { return false }
    return helper.conclude(within: Self.farewell) == .exited(0)
  }

  // MARK: - Sessions

  /// A session comes in front of the lock: keys and the button are its own from now on.
  package func beginSession() {
    (isInSession, keys, commands) = (true, WindowKeys(), [])
    show(.idle)
  }

  package func begin(_ ring: PreviewRing) { _ = take(helper.offer(ring)) }

  package func show(_ frame: PreviewRing.Frame) {
    guard isOpen, !isBusy else { return }
    isBusy = take(helper.send(.frame, Array("\(frame.sequence)".utf8)))
  }

  package func tell(_ state: PreviewState) { _ = take(helper.send(.state, Array(state.rawValue.utf8))) }

  package var descriptor: Int32? { readable }
  package var nextMoment: UInt64? { nil }
  package func begin(at now: UInt64) {}

  package func commands(at now: UInt64) -> [SessionCommand] {
    flush()
    defer { commands = [] }
    return commands
  }

  package func finish() {
    flush()
    isBusy = false
  }

  /// Shows the face again after a session. Gives what there is to say of the frames that were shown; nil: nothing.
  package func endSession() -> String? {
    guard isInSession else { return nil }
    let end = MonotonicClock.now + Self.farewell
    var goesOn = take(helper.send(.end, []))
    while goesOn, case .message(let word, let rest) = helper.next(until: end) {
      hear(word, rest)
      goesOn = word != .total
    }
    (isInSession, isBusy, isAsking, commands) = (false, false, false, [])
    show(.idle)
    defer { total = "" }
    return total.isEmpty ? nil : total
  }

  // MARK: - What the program says

  package func flush() {
    if !helper.takeMessages(hear) { lose() }
  }

  private func hear(_ word: ProgramWord, _ rest: ViewfinderHelper.Words) {
    switch word {
    case .done: isBusy = false
    case .camera: wantCamera()
    case .pressed: press(rest.bytes)
    case .released: add(keys.release(rest.bytes))
    case .leftKeys: add(keys.leave())
    case .total: total = rest.text
    default: break
    }
  }

  private func press(_ bytes: some Collection<UInt8>) {
    if isInSession, !isAsking {
      add(keys.press(bytes))
    } else if WindowKeys.isCamera(bytes) {
      wantCamera()
    } else {
      switch typed.take(bytes) {
      case .nothing: break
      case .changed: tellFace()
      case .finished:
        guard typed.send(to: answers) else { return show(.wrong) }
        show(.checking)
        if !isInSession { add(.answer) }
      }
    }
  }

  /// In a session the button is the shutter.
  private func wantCamera() {
    guard isInSession else { return add(.camera) }
    guard !isAsking else { return }
    add([CapturePhase.began, .ended].map { .capture(CaptureEvent(.primary, $0)) })
  }

  private func add(_ event: Event) {
    if events.count < Self.mostWaiting { events.append(event) }
  }

  private func add(_ more: [SessionCommand]) {
    guard isInSession, commands.count + more.count <= Self.mostWaiting else { return }
    commands += more
  }

  /// Takes notice of what has become of a message; whether it has gone out.
  private func take(_ sending: ViewfinderHelper.Sending) -> Bool {
    if sending == .lost { flush() }
    return sending == .sent
  }

  private func lose() {
    isBusy = false
    guard helper.isRunning else { return }
    let how = ViewfinderHelper.words(helper.conclude(within: Self.farewell))
    events.append(.lost(how))
    if isInSession { whenLost("the session is not shown any more: \(how); it goes on, and so does the lock") }
  }
}
