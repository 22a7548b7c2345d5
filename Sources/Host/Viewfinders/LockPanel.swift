// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import ViewfinderLink

/// What the person in front of a lock screen is asked, what they have typed of the answer, and what is said to them.
struct LockPanel: ~Copyable {
  private var typed = TypedAnswer()
  private var mood = LockFace.Mood.idle
  private var question = ""
  private var notice = ""
  /// How many bytes of what was typed are not seen, because they were typed before it was asked for something that may be;
  /// nil: none is seen.
  private var hidden: Int?
  /// How many questions there were since it was reset, and how many answers.
  private var count = (questions: 0, answers: 0)
  /// The name of the app that is opened by an answer; empty: none is.
  var app = ""
  /// Whether nothing can be answered now, so that nothing is taken.
  var isBarred = false

  /// What a key has done.
  enum Effect {
    /// Nothing.
    case nothing
    /// Something else is to be shown.
    case changed
    /// The same, and it is the first character of an answer.
    case begun
    /// The person is done with an answer.
    case finished
  }

  /// How far it is, and what it says.
  func face(_ situation: LockFace.Situation) -> LockFace {
    let seen = hidden.map { typed.text(hiding: $0) } ?? ""
    return LockFace(
      characters: typed.characters,
      mood: mood,
      situation: situation,
      words: LockWords(app: app, question: question, notice: notice, typed: seen)
    )
  }

  /// Takes a key; the bytes are its number, a space, and what it types.
  mutating func take(_ bytes: some Collection<UInt8>) -> Effect {
    guard !isBarred else { return .nothing }
    let before = typed.characters
    switch typed.take(bytes) {
    case .nothing: return .nothing
    case .finished: return .finished
    case .changed: break
    }
    // Why an answer was refused was read when the next begins; what they were told otherwise is still so.
    if mood == .wrong { (mood, notice) = (.idle, "") }
    hidden = hidden.map { min($0, typed.count) }
    return before == 0 && typed.characters > 0 ? .begun : .changed
  }

  /// Sends what was typed to whoever asks; false: it has no room.
  mutating func answer(to answers: HeldDescriptor) -> Bool {
    let isSent = typed.send(to: answers)
    typed.removeAll()
    count.answers += 1
    (mood, question, notice, hidden) = (.checking, "", "", nil)
    return isSent
  }

  /// The person is asked something. What they have typed before they could see that it is shown is not shown.
  mutating func ask(_ text: String, _ echo: LockQuestions.Echo) {
    count.questions += 1
    // Answered before it was seen, by somebody who knows what is asked.
    guard count.answers < count.questions else { return }
    (question, hidden) = (text, echo == .shown ? typed.count : nil)
    if mood == .checking { mood = .idle }
  }

  /// The person is told something.
  mutating func tell(_ text: String) { notice = text }

  /// Nothing is asked any more; why, and how it looks. What was typed is forgotten.
  mutating func reset(_ mood: LockFace.Mood, _ notice: String = "") {
    typed.removeAll()
    (self.mood, self.notice, question, hidden) = (mood, notice, "", nil)
    count = (0, 0)
  }
}
