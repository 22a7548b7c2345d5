// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import CaptureHost
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
  static let farewell: UInt64 = 2_000_000_000
  /// The most of anything that waits; what is more is forgotten.
  static let mostWaiting = 64

  /// What the person does who is in front of it.
  package enum Event: Equatable, Sendable {
    /// They want the camera.
    case camera
    /// They begin to type something.
    case typing
    /// They have typed something, and it is with the answers.
    case answer
    /// The program has ended by itself: the screens are locked and dark.
    case lost(String)
  }

  let helper: ViewfinderHelper
  /// Where what was typed goes, a line for each.
  let answers: HeldDescriptor
  /// Whether there is a button of the camera.
  private let hasCamera: Bool
  /// What they are asked and told.
  let questions: LockQuestions
  /// Readable when the program has said something, or there is a question.
  private let news: WaitSet
  var panel = LockPanel()
  var events: [Event] = []
  var commands: [SessionCommand] = []
  var keys = WindowKeys()
  /// Whether a session is in front of the lock.
  var isInSession = false
  var total = ""
  /// Whether a frame is on its way.
  package internal(set) var isBusy = false
  /// Whether the person is asked in mid-session: then what is typed is an answer.
  var isAsking = false
  /// Is told in a sentence that a session is not shown any more.
  package var whenLost: (String) -> Void = { _ in }

  private init(
    _ helper: ViewfinderHelper,
    _ answers: HeldDescriptor,
    _ questions: LockQuestions,
    _ hasCamera: Bool
  ) throws(SystemCallError) {
    news = try WaitSet.make()
    try news.watch(helper.readable)
    try news.watch(questions.readable)
    (self.helper, self.answers, self.questions, self.hasCamera) = (helper, answers, questions, hasCamera)
    show(.idle)
  }

  /// Locks the screens of the compositor whose socket this is. `beside` is the directory of the program; nil: that of this
  /// one. Throws if they were not locked.
  package static func lock(
    at socket: String,
    answers: HeldDescriptor,
    questions: LockQuestions,
    hasCamera: Bool,
    beside directory: String? = nil
  ) throws(WindowViewfinderError) -> LockScreen {
    let helper = try WindowViewfinder.startProgram(["lock", socket], within: patience, beside: directory)
    do throws(SystemCallError) { return try LockScreen(helper, answers, questions, hasCamera) } catch {
      throw .program(error)
    }
  }

  /// Whether anybody can see anything.
  package var isOpen: Bool { helper.isOpen }
  package var writable: Int32? { nil }
  package var readable: Int32? { helper.isOpen ? news.descriptor.rawValue : nil }

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

  /// Says that it was not the person, or that they cannot have what they wanted: why, in a sentence.
  package func refuse(_ why: String) { show(.wrong, why) }

  /// Nobody is asked any more, and nothing was wrong; what there is to say of it.
  package func rest(_ why: String = "") { show(.idle, why) }

  /// Says in a sentence that nothing can be answered for now, and takes no answer; nil: an answer can be given again.
  package func bar(_ why: String?) {
    let wasBarred = panel.isBarred
    panel.isBarred = why != nil
    if let why { show(.wrong, why) } else if wasBarred { show(.idle) }
  }

  /// The person is asked to open an app, or is not any more: then what is typed is an answer.
  package func ask(_ isAsking: Bool, app: String) {
    guard isAsking != self.isAsking else { return }
    self.isAsking = isAsking
    panel.app = isAsking ? app : ""
    show(.idle)
  }

  /// Shows how far the person is, and says why. What was typed is forgotten, and so is what was asked.
  func show(_ mood: LockFace.Mood, _ notice: String = "") {
    _ = questions.take()
    panel.reset(mood, notice)
    tellFace()
  }

  func tellFace() {
    let situation: LockFace.Situation =
      isAsking ? .asking : isInSession ? .session : hasCamera ? .camera : .waiting
    _ = take(helper.send(.face, Array(panel.face(situation).text.utf8)))
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
    (isInSession, isBusy, isAsking, panel.app, commands) = (false, false, false, "", [])
    show(.idle)
    defer { total = "" }
    return total.isEmpty ? nil : total
  }
}
