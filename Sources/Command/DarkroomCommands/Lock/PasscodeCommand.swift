// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore
internal import UserAuthentication

/// `darkroom passcode`: manages Darkroom's own passcode.
package enum PasscodeCommand: CommandGroup {
  package static let commands: CommandList = [
    "set": PasscodeSetCommand.self, "clear": PasscodeClearCommand.self, "check": PasscodeCheckCommand.self,
  ]

  package static let spec = CommandSpec(
    "passcode",
    summary: "Set, clear and check the passcode",
    discussion: """
      The passcode is stored as a salted scrypt digest. To replace or clear a passcode, the user must enter it; \
      wrong answers count like those of 'darkroom unlock'.
      """,
    options: [UserPrompt.descriptor],
    subcommands: Subcommands(commands)
  )

  /// Prompts for the current passcode.
  ///
  /// - Throws: A `CommandFailure` unless the answer is correct.
  static func authenticate(
    _ root: StateRoot,
    _ userPrompt: UserPrompt,
    _ console: Console
  ) throws(CommandFailure) {
    let paths = AuthenticationPaths(root: root.path)
    let authenticator = UserAuthenticator(
      paths: paths,
      configuration: AuthenticationConfiguration(.passcode),
      prompt: userPrompt.prompt,
      errors: console.error
    )
    let attempt = authenticator.begin(reason: "Enter the current passcode.")
    if let failure = UserPrompt.failure(try UserPrompt.wait(for: attempt), authenticator) {
      throw failure
    }
  }

  /// Prints whether a passcode is set.
  static func report(_ passcode: Passcode, _ sentence: String, _ parsed: ParsedCommand, _ console: Console) {
    if parsed.has(CommonOptions.json) {
      console.print(["passcode": .string(passcode.isSet ? "set" : "none")])
    } else {
      console.print(sentence)
    }
  }
}

/// `darkroom passcode set`: sets or replaces the passcode.
package enum PasscodeSetCommand: Command {
  package static let spec = CommandSpec(
    "set",
    summary: "Set or replace the passcode",
    discussion: """
      With --passcode-fd, the first line is the current passcode, if one is set, and the next line is the new \
      passcode. At the terminal, the new passcode is entered twice.
      """,
    exitCodes: [ExitCode.success("The passcode is set"), ExitCode.data.when("The new passcode is too short")]
      + ExitCode.authentication(
        ExitCode.violation.when("The current passcode is wrong, or the two new passcodes differ")
      )
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let userPrompt = UserPrompt(parsed)
    let passcode = Passcode(AuthenticationPaths(root: root.path))
    if passcode.isSet { try PasscodeCommand.authenticate(root, userPrompt, console) }
    let chosen = try ask("New passcode: ", userPrompt)
    if parsed.value(of: UserPrompt.descriptor) == nil {
      guard chosen.isSame(as: try ask("Repeat the new passcode: ", userPrompt)) else {
        throw CommandFailure(.violation, "the passcodes do not match; nothing was changed")
      }
    }
    do { try passcode.set(chosen) } catch {
      throw CommandFailure(error == .tooShort(minimum: Passcode.minimum) ? .data : .store, "\(error)")
    }
    PasscodeCommand.report(passcode, "the passcode is set", parsed, console)
    return 0
  }

  /// Prompts for a new passcode.
  private static func ask(_ question: String, _ userPrompt: UserPrompt) throws(CommandFailure) -> SecretBytes
  {
    let signals: Descriptor
    do { signals = try SignalDescriptor.make([.interrupt, .terminate, .hangup, .quit]) } catch {
      throw CommandFailure(.machine, "the user cannot be prompted: \(error)")
    }
    let deadline = MonotonicClock.now + 300_000_000_000
    let patience = Timeout(stop: signals.rawValue, deadline: deadline)
    switch userPrompt.prompt.ask(PromptQuestion(question), patience) {
    case .secret(let secret): return secret
    case .cancelled: throw CommandFailure(.cancelled, "cancelled; nothing was changed")
    case .timedOut: throw CommandFailure(.timedOut, "no answer was given in time; nothing was changed")
    case .unavailable(let reason): throw CommandFailure(.unavailable, reason)
    }
  }
}

/// `darkroom passcode clear`: removes the passcode.
package enum PasscodeClearCommand: Command {
  package static let spec = CommandSpec(
    "clear",
    summary: "Clear the passcode",
    discussion: """
      Afterwards, only PAM or a program can authenticate the user. If no passcode is set, the command succeeds.
      """,
    exitCodes: [ExitCode.success("No passcode is set")] + ExitCode.authentication()
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let passcode = Passcode(AuthenticationPaths(root: root.path))
    if passcode.isSet { try PasscodeCommand.authenticate(root, UserPrompt(parsed), console) }
    do { try passcode.clear() } catch { throw CommandFailure(.store, "\(error)") }
    PasscodeCommand.report(passcode, "no passcode is set", parsed, console)
    return 0
  }
}

/// `darkroom passcode check`: prompts for the passcode and verifies it.
package enum PasscodeCheckCommand: Command {
  package static let spec = CommandSpec(
    "check",
    summary: "Ask for the passcode, and verify it",
    exitCodes: [ExitCode.success("The passcode is correct"), ExitCode.missing.when("No passcode is set")]
      + ExitCode.authentication()
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let passcode = Passcode(AuthenticationPaths(root: root.path))
    guard passcode.isSet else {
      throw CommandFailure(.missing, "no passcode is set; set a passcode with 'darkroom passcode set'")
    }
    try PasscodeCommand.authenticate(root, UserPrompt(parsed), console)
    PasscodeCommand.report(passcode, "the passcode is correct", parsed, console)
    return 0
  }
}
