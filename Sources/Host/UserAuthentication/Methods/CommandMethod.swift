// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// An external program that authenticates the user and reports the outcome in its exit code.
struct CommandMethod: AuthenticationMethod {
  /// The absolute path of the program, and its arguments.
  let arguments: [String]
  /// The names of the environment variables that the program receives.
  let variables: [String]

  func decide(_ context: AuthenticationContext) -> AuthenticationOutcome {
    guard let program = arguments.first else { return .unavailable("no program is configured") }
    if let reason = trustFailure(program) { return .unavailable(reason) }
    if let refusal = context.charge() { return refusal }
    let helper: HelperProgram
    do {
      let nothing = try FileSystem.open("/dev/null", .read)
      helper = try HelperProgram.start(
        program,
        Array(arguments.dropFirst()),
        environment: environment(context),
        input: nothing.rawValue,
        errors: context.errors
      )
    } catch {
      context.refund()
      return .unavailable("\(program) cannot be started: \(error); check that it exists and is executable")
    }
    switch context.timeout.wait(for: [helper.handle.descriptor.rawValue]) {
    case .cancelled:
      helper.kill()
      return .cancelled
    case .timedOut:
      helper.kill()
      return .timedOut
    case .ready:
      return conclude(try? helper.wait(), context)
    }
  }

  /// Returns the outcome for an exit status. Only exit code 0 means success.
  private func conclude(_ status: ExitStatus?, _ context: AuthenticationContext) -> AuthenticationOutcome {
    switch status {
    case .exited(0): return .succeeded
    case .exited(1): return .failed
    case .exited(2):
      // The program reports that it made no decision.
      context.refund()
      return .cancelled
    case .exited(3): return .tooManyAttempts
    case .exited(124): return .timedOut
    case .exited(let code):
      return .unavailable("\(arguments[0]) exited with code \(code), which is neither success nor failure")
    case .signaled(let signal): return .unavailable("\(arguments[0]) was terminated by \(signal)")
    case nil: return .unavailable("the exit status of \(arguments[0]) is unknown")
    }
  }

  /// Returns the reason not to run a program that other users may have written, or `nil` if it can be
  /// trusted.
  private func trustFailure(_ program: String) -> String? {
    guard let path = try? FileSystem.realPath(program), let status = try? FileSystem.status(path) else {
      return "\(program) does not exist; configure another program with 'darkroom lock configure'"
    }
    guard status.kind == .regular, status.owner == 0 || status.owner == CurrentProcess.effectiveUserID,
      status.permissions & 0o022 == 0
    else {
      return "\(path) must belong to root or this user, and other users must not be able to write to it"
    }
    return nil
  }

  /// Returns the complete environment of the program.
  private func environment(_ context: AuthenticationContext) -> [String] {
    ["PATH=/usr/local/bin:/usr/bin:/bin", "DARKROOM_REASON=\(context.reason)"]
      + variables.compactMap { name in context.environment(name).map { "\(name)=\($0)" } }
  }
}
