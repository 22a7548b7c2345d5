// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import PersonAuthentication
internal import Viewfinders

/// Asks whoever is in front of a lock screen: questions are shown there, and the lines that are typed there answer them.
final class LockScreenPrompt: PasswordPrompt {
  private let answers: HeldDescriptor
  private let lines: DescriptorPrompt
  private let questions: LockQuestions

  /// Reads each answer from a line of a pipe, and sends the questions to where they are shown.
  init(answers: HeldDescriptor, _ questions: LockQuestions) {
    (self.answers, self.questions) = (answers, questions)
    lines = DescriptorPrompt(answers.rawValue)
  }

  func ask(_ question: PromptQuestion, _ patience: Patience) -> PromptAnswer {
    // Why the person is asked the lock says itself, and by its own words.
    questions.send(.question(question.question, question.visibility == .shown ? .shown : .hidden))
    return lines.ask(question, patience)
  }

  func tell(_ text: String) { questions.send(.notice(text)) }

  func putBack() {}
}
