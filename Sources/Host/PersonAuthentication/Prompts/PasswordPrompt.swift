// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// A way to ask the person for something secret. It is used by one thread at a time.
package protocol PasswordPrompt: AnyObject, Sendable {
  /// Asks, and waits as long as the patience lasts.
  func ask(_ question: PromptQuestion, _ patience: Patience) -> PromptAnswer
  /// Tells the person something.
  func tell(_ text: String)
  /// Makes everything as it was before ``ask(_:_:)``; any thread may call it, at any time.
  func putBack()
}

/// What the person is asked.
package struct PromptQuestion: Hashable, Sendable {
  /// Whether what is typed can be seen.
  package enum Visibility: Hashable, Sendable {
    /// It is a secret.
    case hidden
    /// It may be read by others, such as a name.
    case shown
  }

  /// Why the person is asked; empty: that is known.
  package var reason: String
  /// What is asked.
  package var question: String
  /// Whether what is typed can be seen.
  package var visibility: Visibility

  /// Makes a question.
  package init(_ question: String, _ visibility: Visibility = .hidden, reason: String = "") {
    (self.question, self.visibility, self.reason) = (question, visibility, reason)
  }

  /// All of it, in one text.
  package var text: String { reason.isEmpty ? question : "\(reason)\n\(question)" }
}

/// What the person has answered.
package enum PromptAnswer: ~Copyable, Sendable {
  /// This.
  case secret(SecretBytes)
  /// Nothing: the person or the host has broken off.
  case cancelled
  /// Nothing in time.
  case timedOut
  /// Nobody could be asked; why, and the mend.
  case unavailable(String)
}
