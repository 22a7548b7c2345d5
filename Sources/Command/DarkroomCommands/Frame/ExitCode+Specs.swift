// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar

/// The exit codes in the help of commands.
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

  /// The code of commands that only read the state root.
  static let unreadableStore = store.when("The state root, or a file in it, cannot be read")
  /// The code of commands that write to the state root.
  static let unusableStore = store.when("The state root, or a file in it, cannot be read or written")
  /// The code of commands that access the data of an app.
  static let unknownApp = missing.when("The app does not exist")
  /// The code of commands that read the context of an app.
  static let damagedContext = data.when("The file of the context is damaged")
  /// The code of commands that read the permissions of an app.
  static let damagedPermissions = data.when("The file of the permissions is damaged")
  /// The code of commands that open the photo library.
  static let unusableLibrary = store.when("The photo library cannot be opened, read or written")
  /// The code of commands that read a policy or a filter.
  static let invalidPolicy = data.when("A policy or filter is invalid")
  /// The code of commands that find a policy by its name or path.
  static let unknownPolicy = missing.when("The policy or file does not exist, or cannot be read")
  /// The code of commands that find a filter by a name, path or process ID.
  static let unknownFilter = missing.when("The policy, file or process does not exist, or cannot be read")
  /// The code of commands that read or compile filters.
  static let unreadableFilter = machine.when(
    "The filters of a process cannot be read, or a filter cannot be compiled"
  )

  /// Returns the exit codes of a command that runs a session. An entry of `own` replaces the general entry for
  /// the same code.
  ///
  /// `SessionOutcome.suggestedExitCode` determines the codes of sessions that were started, and
  /// `SessionCommands.run` those of sessions that could not be started.
  static func session(_ own: [ExitCodeSpec], omitting omitted: [ExitCode] = []) -> [ExitCodeSpec] {
    let general = [
      success("The extension exited with 0, or was terminated by its dismissal"),
      machine.when("The kernel lacks a required feature, or the host failed"),
      store.when(
        "The state root, the record or an output file cannot be written, or free space is insufficient"
      ),
      temporaryFailure.when(
        "The host received a signal to stop, the screen was locked, another session is in the foreground, or the "
          + "camera or microphone is in use"
      ),
      protocolViolation.when("The extension violated the extension protocol"),
      violation.when("The extension violated its policy and was terminated"),
      timedOut.when("A deadline passed: launch, watchdog, session, or exit after the dismissal"),
      notExecuted.when("The extension could not be started"),
      ExitCodeSpec("128+n", "The extension was terminated by signal n"),
      ExitCodeSpec("other", "The extension's own exit code"),
    ]
    let replaced = own.map(\.code) + omitted.map { "\($0.rawValue)" }
    return own.filter { $0.code != "other" } + general.filter { !replaced.contains($0.code) }
      + own.filter { $0.code == "other" }
  }

  /// Returns the exit codes of a command that authenticates the user. An entry of `own` replaces the general
  /// entry for the same code.
  static func authentication(_ own: ExitCodeSpec...) -> [ExitCodeSpec] {
    let general = [
      unavailable.when("The user cannot be prompted"), machine.when("The wait for the answer failed"),
      unusableStore,
      temporaryFailure.when("Too many attempts have failed, or the command received a signal to stop"),
      violation.when("The passcode or password is wrong"), timedOut.when("The user did not answer in time"),
      cancelled.when("The user cancelled"),
    ]
    return own + general.filter { entry in !own.contains { $0.code == entry.code } }
  }

  /// Returns the exit codes of a command that opens a camera. An entry of `own` replaces the general entry for
  /// the same code.
  static func frameSource(_ own: ExitCodeSpec...) -> [ExitCodeSpec] {
    let general = [
      missing.when("The camera does not exist, or cannot be opened"),
      machine.when("The camera, its driver or a required library failed"),
      temporaryFailure.when("The camera is in use, or the command received a signal to stop"),
    ]
    return own + general.filter { entry in !own.contains { $0.code == entry.code } }
  }
}
