// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar

extension ExitCode {
  /// Returns the entry for this code in the help of a command. `condition` is a sentence without a full stop.
  func when(_ condition: String) -> ExitCodeSpec { ExitCodeSpec("\(rawValue)", condition) }

  /// Returns the entry for the exit code 0.
  static func success(_ condition: String) -> ExitCodeSpec { ExitCodeSpec("0", condition) }

  /// The exit codes of every command.
  static let common = [
    success("The command succeeded"), usage.when("The command line is invalid"),
    output.when("The output could not be written"),
  ]

  /// A command that only reads the state root cannot read it.
  static let unreadableStore = store.when("The state root, or a file in it, cannot be read")
  /// A command cannot create, read or write the state root.
  static let unusableStore = store.when("The state root, or a file in it, cannot be created, read or written")
  /// No such app is installed. Commands that work on the data of an app have this code.
  static let unknownApp = missing.when("The state root has apps, but not APP")

  /// The exit codes of the sessions of `darkroom run`, `exec`, `control press` and other commands.
  ///
  /// `SessionOutcome.suggestedExitCode` determines the codes of sessions that were started, and
  /// `SessionCommands.run` those of sessions that could not be started.
  static let session = [
    success("The extension exited with 0, or was dismissed and exited in time"),
    ExitCodeSpec("other", "The extension's own exit code"),
    ExitCodeSpec("128+n", "The extension was terminated by signal n"),
    missing.when("The camera, the microphone or a file that an option names does not exist"),
    machine.when("The kernel lacks a required feature, or the host failed during the session"),
    unusableStore,
    temporaryFailure.when(
      "The host was told to stop, the screen was locked, another session is in the foreground, or the camera or "
        + "microphone is in use"
    ),
    protocolViolation.when("The extension violated the extension protocol"),
    violation.when("The extension violated its policy and was terminated"),
    timedOut.when("A deadline passed: launch, watchdog, session, or the exit after the dismissal"),
    notExecuted.when("The extension could not be started"),
  ]
}
