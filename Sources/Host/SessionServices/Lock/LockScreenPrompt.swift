// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import UserAuthentication
internal import Viewfinders

/// A prompt on the lock screen. The lock screen shows the questions, and the typed lines are the answers.
final class LockScreenPrompt: PasswordPrompt {
  private let answers: HeldDescriptor
  private let lines: DescriptorPrompt
  private let questions: LockQuestions

  /// Creates a prompt that reads each answer as a line of a pipe, and sends the questions to the lock screen.
  init(answers: HeldDescriptor, _ questions: LockQuestions) {
    (self.answers, self.questions) = (answers, questions)
    lines = DescriptorPrompt(answers.rawValue)
  }

  func ask(_ question: PromptQuestion, _ patience: Timeout) -> PromptAnswer {
    // The lock screen displays its own reason for the prompt.
    questions.send(.question(question.question, question.visibility == .shown ? .shown : .hidden))
    return lines.ask(question, patience)
  }

  func show(_ text: String) { questions.send(.notice(text)) }

  func restore() {}
}
