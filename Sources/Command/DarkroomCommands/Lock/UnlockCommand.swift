// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import LockMonitoring
internal import SessionStore
internal import UserAuthentication

/// `darkroom unlock`: authenticates the user, and unlocks.
package enum UnlockCommand: Command {
  package static let spec = CommandSpec(
    "unlock",
    summary: "Unlock Darkroom after an authentication",
    discussion: """
      The lock of 'darkroom lock' is unlocked. A followed session of logind is requested to unlock, and its screen \
      locker decides. A followed file is not changed.
      """,
    options: [UserPrompt.descriptor],
    examples: [ExampleSpec("darkroom unlock", "Authenticate and unlock")],
    exitCodes: [ExitCode.success("Darkroom is unlocked")]
      + ExitCode.authentication(
        ExitCode.unavailable.when("The user cannot be prompted, or another source reports the locked state")
      )
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let userPrompt = UserPrompt(parsed)
    let authenticator = UserAuthenticator(root: root.path, prompt: userPrompt.prompt, errors: console.error)
    let outcome = try UserPrompt.wait(for: authenticator.begin(reason: "Unlock Darkroom."))
    if let failure = UserPrompt.failure(outcome, authenticator) { throw failure }
    let monitor = LockMonitor(root: root.path)
    monitor.waitForFirstReports()
    do { try monitor.unlock() } catch {
      throw CommandFailure(
        .store,
        "unlocking failed: \(error); check the permissions of \(root.path)/lock"
      )
    }
    // The screen locker of a logind session needs some time to unlock.
    monitor.wait(milliseconds: 2000) { $0.state == .unlocked }
    if parsed.has(CommonOptions.json) { console.print(LockOutput.json(monitor)) }
    guard monitor.state == .unlocked else {
      throw CommandFailure(
        .unavailable,
        "another source still reports locked: \(monitor.decidingReport.reason)"
      )
    }
    if !parsed.has(CommonOptions.json) { console.print("unlocked") }
    return 0
  }
}
