// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import ViewfinderLink

/// The state of the prompt on a lock screen: the question, the typed answer, and notices.
struct LockPanel: ~Copyable {
  private var typed = TypedAnswer()
  private var phase = LockScreenContent.Phase.idle
  private var question = ""
  private var notice = ""
  /// The number of typed bytes that stay hidden because they were typed before a visible question appeared,
  /// or `nil` if all are hidden.
  private var hidden: Int?
  /// The number of questions and answers since the last reset.
  private var count = (questions: 0, answers: 0)
  /// The name of the app that the answer opens, or an empty string.
  var app = ""
  /// Whether keys are ignored because no answer is possible now.
  var isDisabled = false

  /// The effect of a key.
  enum Effect {
    /// The key has no effect.
    case nothing
    /// The content of the screen changed.
    case changed
    /// The content changed, and the key is the first character of an answer.
    case started
    /// The user completed an answer.
    case finished
  }

  /// Returns the content of the screen in a mode.
  func content(_ mode: LockScreenContent.Mode) -> LockScreenContent {
    let seen = hidden.map { typed.text(hiding: $0) } ?? ""
    return LockScreenContent(
      characters: typed.characters,
      phase: phase,
      mode: mode,
      words: LockScreenText(app: app, question: question, notice: notice, typed: seen)
    )
  }

  /// Handles a key. The bytes are its number, a space, and the text that it types.
  mutating func handleKey(_ bytes: some Collection<UInt8>) -> Effect {
    guard !isDisabled else { return .nothing }
    let before = typed.characters
    switch typed.take(bytes) {
    case .nothing: return .nothing
    case .finished: return .finished
    case .changed: break
    }
    // The reason of a refusal was read when the next answer starts; other notices still apply.
    if phase == .wrong { (phase, notice) = (.idle, "") }
    hidden = hidden.map { min($0, typed.count) }
    return before == 0 && typed.characters > 0 ? .started : .changed
  }

  /// Sends the typed answer to the reader of `answers`. Returns `false` if the pipe is full.
  mutating func answer(to answers: HeldDescriptor) -> Bool {
    let isSent = typed.send(to: answers)
    typed.removeAll()
    count.answers += 1
    (phase, question, notice, hidden) = (.checking, "", "", nil)
    return isSent
  }

  /// Shows a question. Characters that were typed before the user could see that they will be visible stay
  /// hidden.
  mutating func ask(_ text: String, _ echo: LockQuestions.Echo) {
    count.questions += 1
    // The user knew the question and answered it before it appeared.
    guard count.answers < count.questions else { return }
    (question, hidden) = (text, echo == .shown ? typed.count : nil)
    if phase == .checking { phase = .idle }
  }

  /// Shows a notice.
  mutating func show(_ text: String) { notice = text }

  /// Ends the current question, discards the typed text, and shows a phase with a notice.
  mutating func reset(_ phase: LockScreenContent.Phase, _ notice: String = "") {
    typed.removeAll()
    (self.phase, self.notice, question, hidden) = (phase, notice, "", nil)
    count = (0, 0)
  }
}
