// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Another program asks the person in its own way, and says what came of it by its exit code.
struct CommandMethod: AuthenticationMethod {
  /// The absolute path of the program, and its arguments.
  let words: [String]
  /// The variables of this process's environment that it is given.
  let variables: [String]

  func decide(_ circumstances: Circumstances) -> AuthenticationOutcome {
    guard let program = words.first else { return .unavailable("no program is configured") }
    if let reason = distrust(program) { return .unavailable(reason) }
    if let refusal = circumstances.charge() { return refusal }
    let helper: HelperProgram
    do {
      let nothing = try FileSystem.open("/dev/null", .read)
      helper = try HelperProgram.start(
        program,
        Array(words.dropFirst()),
        environment: environment(circumstances),
        input: nothing.rawValue,
        errors: circumstances.errors
      )
    } catch {
      circumstances.refund()
      return .unavailable("\(program) cannot be started: \(error); see that it is there and executable")
    }
    switch circumstances.patience.wait(for: [helper.handle.descriptor.rawValue]) {
    case .cancelled:
      helper.kill()
      return .cancelled
    case .timedOut:
      helper.kill()
      return .timedOut
    case .ready:
      return conclude(try? helper.end(), circumstances)
    }
  }

  /// What an exit means. Only 0 is a yes.
  private func conclude(_ status: ExitStatus?, _ circumstances: Circumstances) -> AuthenticationOutcome {
    switch status {
    case .exited(0): return .succeeded
    case .exited(1): return .failed
    case .exited(2):
      // The program has decided nothing, and says so itself.
      circumstances.refund()
      return .cancelled
    case .exited(3): return .tooManyAttempts
    case .exited(124): return .timedOut
    case .exited(let code):
      return .unavailable("\(words[0]) ended with \(code), which means neither yes nor no")
    case .signaled(let signal): return .unavailable("\(words[0]) was ended by \(signal)")
    case nil: return .unavailable("how \(words[0]) ended is not known")
    }
  }

  /// Why a program is not asked: others could have written it. Nil if it may be.
  private func distrust(_ program: String) -> String? {
    guard let path = try? FileSystem.realPath(program), let status = try? FileSystem.status(path) else {
      return "\(program) is not there; name another with: darkroom lock configure"
    }
    guard status.kind == .regular, status.owner == 0 || status.owner == CurrentProcess.effectiveUserID,
      status.permissions & 0o022 == 0
    else { return "\(path) must be a program of root's or this user's that nobody else can write" }
    return nil
  }

  /// Its whole environment.
  private func environment(_ circumstances: Circumstances) -> [String] {
    ["PATH=/usr/local/bin:/usr/bin:/bin", "DARKROOM_REASON=\(circumstances.reason)"]
      + variables.compactMap { name in circumstances.environment(name).map { "\(name)=\($0)" } }
  }
}
