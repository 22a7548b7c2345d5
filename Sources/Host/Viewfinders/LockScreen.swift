// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import CaptureHost
internal import ExtensionProtocol
package import LinuxPrimitives
internal import ViewfinderLink

/// The locked screens of a Wayland compositor (ext-session-lock-v1): a password prompt, a camera button, and
/// the viewfinder of a session that was launched there. The helper `darkroom-window` draws them.
///
/// If the helper or this process exits, the compositor keeps its screens locked and blank.
///
/// The keys of a session are handled from ``beginSession()`` on, even if the session has no viewfinder.
///
/// The messages are those of a window (``WindowViewfinder``) and additional ones for the lock. The helper
/// keeps running after the end of a session, and another ring may follow. All calls must be made on one
/// thread.
package final class LockScreen: PreviewDisplay, SessionControl {
  /// The time limit for locking the screens, in nanoseconds.
  private static let startTimeout: UInt64 = 15_000_000_000
  /// The time limit for the helper's last message, and then for its exit, in nanoseconds.
  static let closeTimeout: UInt64 = 2_000_000_000
  /// The maximum number of pending events. Further ones are discarded.
  static let maximumWaiting = 64

  /// An action of the user at the lock screen, or the loss of the helper.
  package enum Event: Equatable, Sendable {
    /// The user pressed the camera button.
    case camera
    /// The user started to type an answer.
    case typing
    /// The user completed an answer, which was written to the answers descriptor.
    case answer
    /// The helper exited unexpectedly. The screens are locked and blank.
    case lost(String)
  }

  let helper: ViewfinderHelper
  /// The descriptor for typed answers, one per line.
  let answers: HeldDescriptor
  /// Whether the lock screen has a camera button.
  private let hasCamera: Bool
  /// The queue of questions and notices.
  let questions: LockQuestions
  /// Readable when the helper has sent a message, or a question or notice is queued.
  private let readableDescriptors: WaitSet
  var panel = LockPanel()
  var events: [Event] = []
  var commands = PendingCommands()
  var keys = WindowKeys()
  /// Whether a session is shown instead of the lock screen.
  var isInSession = false
  var total = ""
  /// Whether a frame is being shown.
  package internal(set) var isBusy = false
  /// Whether the user is prompted during a session. Typed keys are then an answer.
  var isAsking = false
  /// Whether contacts with the picture reach the session. The camera button is then not the shutter, because
  /// the picture can have another button at its position.
  var isReceivingPointer = false
  /// Called with a sentence when a session is no longer shown.
  package var whenLost: (String) -> Void = { _ in }

  private init(
    _ helper: ViewfinderHelper,
    _ answers: HeldDescriptor,
    _ questions: LockQuestions,
    _ hasCamera: Bool
  ) throws(SystemCallError) {
    readableDescriptors = try WaitSet.make()
    try readableDescriptors.watch(helper.readable)
    try readableDescriptors.watch(questions.readable)
    (self.helper, self.answers, self.questions, self.hasCamera) = (helper, answers, questions, hasCamera)
    show(.idle)
  }

  /// Locks the screens of a compositor.
  ///
  /// - Parameters:
  ///   - socket: The path of the compositor's socket.
  ///   - answers: The descriptor for typed answers.
  ///   - questions: The queue of questions and notices.
  ///   - hasCamera: Whether the lock screen has a camera button.
  ///   - directory: The directory of the helper, or `nil` for that of this executable.
  /// - Returns: The locked screens.
  /// - Throws: An error if the screens were not locked.
  package static func lock(
    at socket: String,
    answers: HeldDescriptor,
    questions: LockQuestions,
    hasCamera: Bool,
    beside directory: String? = nil
  ) throws(WindowViewfinderError) -> LockScreen {
    let helper = try WindowViewfinder.startProgram(["lock", socket], within: startTimeout, beside: directory)
    do throws(SystemCallError) { return try LockScreen(helper, answers, questions, hasCamera) } catch {
      throw .program(error)
    }
  }

  /// Whether the helper can show anything.
  package var isOpen: Bool { helper.isOpen }
  package var writable: Int32? { nil }
  package var readable: Int32? { helper.isOpen ? readableDescriptors.descriptor.rawValue : nil }

  /// Returns the next event, or `nil` if none is pending.
  package func takeEvent() -> Event? {
    if events.isEmpty { flush() }
    return events.isEmpty ? nil : events.removeFirst()
  }

  /// Discards pending events because they were meant for an operation that has ended.
  package func discardEvents() {
    flush()
    events.removeAll { if case .lost = $0 { false } else { true } }
  }

  /// Shows why the answer or the request was refused.
  package func refuse(_ why: String) { show(.wrong, why) }

  /// Returns to the idle state without an error, and shows a notice.
  package func showIdle(_ why: String = "") { show(.idle, why) }

  /// Disables answers and shows the reason, or enables answers again if the reason is `nil`.
  package func disable(_ why: String?) {
    let wasBarred = panel.isDisabled
    panel.isDisabled = why != nil
    if let why { show(.wrong, why) } else if wasBarred { show(.idle) }
  }

  /// Starts or ends the prompt to open an app. During the prompt, typed keys are an answer.
  package func ask(_ isAsking: Bool, app: String) {
    guard isAsking != self.isAsking else { return }
    self.isAsking = isAsking
    panel.app = isAsking ? app : ""
    show(.idle)
  }

  /// Shows a phase with a notice, and discards the typed text and pending questions.
  func show(_ phase: LockScreenContent.Phase, _ notice: String = "") {
    _ = questions.take()
    panel.reset(phase, notice)
    sendContent()
  }

  func sendContent() {
    let mode: LockScreenContent.Mode =
      isAsking ? .asking : isInSession ? .session : hasCamera ? .camera : .waiting
    _ = take(helper.send(.lockScreen, Array(panel.content(mode).text.utf8)))
  }

  /// Unlocks the screens permanently. Returns whether the compositor confirmed that.
  package func unlock() -> Bool {
    guard take(helper.send(.unlock, [])) else { return false }
    return helper.waitForExit(within: Self.closeTimeout) == .exited(0)
  }

  // MARK: - Sessions

  /// Shows a session instead of the lock screen. From now on, keys and the camera button control the session.
  package func beginSession() {
    (isInSession, keys, commands) = (true, WindowKeys(), PendingCommands())
    show(.idle)
  }

  package func begin(_ ring: PreviewRing) { _ = take(helper.sendRing(ring)) }

  package func show(_ frame: PreviewRing.Frame) {
    guard isOpen, !isBusy else { return }
    isBusy = take(helper.send(.frame, Array("\(frame.sequence)".utf8)))
  }

  package func stateChanged(_ state: PreviewState) {
    _ = take(helper.send(.state, Array(state.rawValue.utf8)))
  }

  package func setReceivingPointer(_ isReceiving: Bool) { isReceivingPointer = isReceiving }

  package var descriptor: Int32? { readable }
  package var nextDeadline: UInt64? { nil }
  package func begin(at now: UInt64) {}

  package func commands(at now: UInt64) -> [SessionCommand] {
    flush()
    return commands.takeAll()
  }

  package func finish() {
    flush()
    isBusy = false
  }

  /// Shows the lock screen again after a session. Returns the summary of the shown frames, or `nil` if there
  /// is none.
  package func endSession() -> String? {
    guard isInSession else { return nil }
    let end = MonotonicClock.now + Self.closeTimeout
    var isWaiting = take(helper.send(.end, []))
    while isWaiting, case .message(let word, let rest) = helper.next(until: end) {
      handle(word, rest)
      isWaiting = word != .summary
    }
    (isInSession, isBusy, isAsking, panel.app, commands) = (false, false, false, "", PendingCommands())
    isReceivingPointer = false
    show(.idle)
    defer { total = "" }
    return total.isEmpty ? nil : total
  }
}
