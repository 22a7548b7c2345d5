// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// A prompt for secrets. It is used by one thread at a time.
package protocol PasswordPrompt: AnyObject, Sendable {
  /// Asks a question and waits for the answer within the time limit.
  func ask(_ question: PromptQuestion, _ timeout: Timeout) -> PromptAnswer
  /// Shows a text to the user.
  func show(_ text: String)
  /// Restores the state before ``ask(_:_:)``. It may be called on any thread, at any time.
  func restore()
}

/// A question for the user.
package struct PromptQuestion: Hashable, Sendable {
  /// Whether the typed answer is visible.
  package enum Visibility: Hashable, Sendable {
    /// The answer is secret.
    case hidden
    /// The answer may be visible, for example a user name.
    case shown
  }

  /// The reason for the question, or an empty string if the user knows it.
  package var reason: String
  /// The text of the question.
  package var question: String
  /// Whether the typed answer is visible.
  package var visibility: Visibility

  /// Creates a question.
  package init(_ question: String, _ visibility: Visibility = .hidden, reason: String = "") {
    (self.question, self.visibility, self.reason) = (question, visibility, reason)
  }

  /// The reason and the question in one text.
  package var text: String { reason.isEmpty ? question : "\(reason)\n\(question)" }
}

/// The result of a question.
package enum PromptAnswer: ~Copyable, Sendable {
  /// The user's answer.
  case secret(SecretBytes)
  /// The user or the host cancelled the question.
  case cancelled
  /// The user did not answer in time.
  case timedOut
  /// The user cannot be prompted. The string has the reason and the fix.
  case unavailable(String)
}
