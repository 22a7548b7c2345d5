// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import LinuxPrimitives
internal import UserAuthentication

/// The prompt by which commands authenticate the user.
struct UserPrompt {
  /// The option for a descriptor from which answers are read instead of the terminal.
  static let descriptor = OptionSpec.value(
    "passcode-fd",
    "N",
    .integer(0...1023),
    help: "Read each answer as a line from descriptor N instead of the terminal"
  )

  let prompt: any PasswordPrompt

  /// Creates the prompt that the options select. Without options, the prompt uses this terminal while the
  /// command is in its foreground.
  init(
    _ parsed: ParsedCommand,
    terminal: TerminalPrompt.Terminal = .path("/dev/tty"),
    turn: TerminalJobControl = .own
  ) {
    prompt =
      parsed.integer(of: Self.descriptor).map { DescriptorPrompt(Int32($0)) }
      ?? TerminalPrompt(terminal, turn: turn)
  }

  /// Waits for an attempt. A signal cancels the attempt, and the terminal is restored before this process
  /// exits.
  static func wait(for attempt: UserAuthenticationAttempt) throws(CommandFailure) -> AuthenticationOutcome {
    do {
      let signals = try SignalDescriptor.make([.interrupt, .terminate, .hangup, .quit])
      while true {
        if let result = attempt.result { return result }
        _ = try Poller.wait([(attempt.descriptor, .readable), (signals.rawValue, .readable)])
        if let signal = try SignalDescriptor.next(signals) {
          attempt.cancelAndWait()
          throw CommandFailure(.temporaryFailure, "stopped by \(signal)")
        }
      }
    } catch let error as CommandFailure {
      throw error
    } catch {
      attempt.cancel()
      throw CommandFailure(.machine, "the answer of the user cannot be awaited: \(error)")
    }
  }

  /// Returns the failure for an outcome, or `nil` if the authentication succeeded.
  static func failure(
    _ outcome: AuthenticationOutcome,
    _ authenticator: UserAuthenticator
  ) -> CommandFailure? {
    switch outcome {
    case .succeeded: return nil
    case .failed: return CommandFailure(.violation, "the passcode or password is wrong; nothing was changed")
    case .cancelled: return CommandFailure(.cancelled, "cancelled; nothing was changed")
    case .timedOut: return CommandFailure(.timedOut, "no answer was given in time; nothing was changed")
    case .tooManyAttempts:
      let seconds = authenticator.secondsToWait()
      let wait = seconds > 0 ? "wait \(seconds) s" : "wait"
      return CommandFailure(.temporaryFailure, "too many attempts have failed; \(wait) and try again")
    case .unavailable(let reason): return CommandFailure(.unavailable, reason)
    }
  }
}
