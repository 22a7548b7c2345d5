// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What a method has to work with in one attempt.
struct Circumstances {
  /// Why the person is asked, in words for the person.
  let reason: String
  /// How the person is asked; nil: there is no way.
  let prompt: (any PasswordPrompt)?
  /// How long.
  let patience: Patience
  /// Where a program that decides says what is no answer: the person's standard error.
  let errors: Int32
  /// Counts the attempts.
  let limiter: AttemptLimiter
  /// Reads a variable of the person's environment.
  var environment: @Sendable (String) -> String? = { CurrentProcess.environment($0) }

  /// Counts this attempt as failed before anything is decided, durably: whoever kills the host gains nothing. Gives the
  /// outcome if the attempt may not go on.
  func charge() -> AuthenticationOutcome? {
    do { return try limiter.charge() ? nil : .tooManyAttempts } catch { return .unavailable("\(error)") }
  }

  /// Takes the count back, because nothing was decided that could help somebody who guesses.
  func refund() {
    // One that is not taken back only makes the person wait.
    try? limiter.refund()
  }
}

/// A way to find out whether it is the person. It runs in a thread of its own and may wait as its patience allows.
protocol AuthenticationMethod: Sendable {
  /// Asks and decides.
  func decide(_ circumstances: Circumstances) -> AuthenticationOutcome
  /// Why nobody can show who they are in this way, and the mend; nil: nothing is known against it.
  var obstacle: String? { get }
}

extension AuthenticationMethod {
  /// What nobody knows before it is tried.
  var obstacle: String? { nil }
}
