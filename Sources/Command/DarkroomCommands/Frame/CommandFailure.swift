// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar

/// The failure of a command: a sentence for the user and an exit code for scripts.
package struct CommandFailure: Error, Sendable, CustomStringConvertible {
  package var code: ExitCode
  /// The sentence, including the fix.
  package var description: String

  /// Creates a failure.
  package init(_ code: ExitCode, _ description: String) {
    self.code = code
    self.description = description
  }
}

/// The exit codes of Darkroom. The numbers are those of `sysexits.h` and of shells, where these define one.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// A comparison, expectation or check fails, such as a policy that is weaker than another. The convention
  /// is that of diff(1), cmp(1) and test programs.
  case checkFailed = 1
  /// The command line is invalid. The corresponding constant is `EX_USAGE`.
  case usage = 64
  /// A manifest, policy, script, context or the session log is invalid. The corresponding constant is
  /// `EX_DATAERR`.
  case data = 65
  /// An app, extension, session or file does not exist. The corresponding constant is `EX_NOINPUT`.
  case missing = 66
  /// A service is unavailable or only partly available, such as a layer, an attempt, a control, an unlock or
  /// a viewfinder. The corresponding constant is `EX_UNAVAILABLE`.
  case unavailable = 69
  /// A protection does not hold: an attack got through, or a filter is not proved. The corresponding constant
  /// is `EX_SOFTWARE`.
  case breach = 70
  /// The state root, its contents, a new app or a proposal cannot be created or written. The corresponding
  /// constant is `EX_CANTCREAT`.
  case store = 73
  /// The machine lacks a required feature. The corresponding constant is `EX_OSERR`.
  case machine = 71
  /// The output could not be written. The corresponding constant is `EX_IOERR`.
  case output = 74
  /// A temporary condition prevented the operation: a stop request, a waiting period, a busy seat or camera,
  /// or another server. The corresponding constant is `EX_TEMPFAIL`.
  case temporaryFailure = 75
  /// The extension violated the protocol. The corresponding constant is `EX_PROTOCOL`.
  case protocolViolation = 76
  /// The extension was terminated for a policy violation, or the authentication failed. The corresponding
  /// constant is `EX_NOPERM`.
  case violation = 77
  /// A deadline passed, as for timeout(1).
  case timedOut = 124
  /// The extension could not be started, as in shells.
  case notExecuted = 126
  /// The program was not found, as in shells.
  case notFound = 127
  /// The user cancelled, as in shells after Ctrl-C.
  case cancelled = 130

  /// The general meaning of the code. The help of each command has its meaning for that command.
  var meaning: String {
    switch self {
    case .checkFailed:
      "A check failed: a policy is weaker than another one, an expectation of a script is not met, "
        + "an installation differs from its audit, or an input of a batch failed"
    case .usage: "The command line is invalid"
    case .data:
      "A manifest, policy, script, app context or other input is invalid; or the session log was "
        + "changed"
    case .missing: "The app, extension, session, policy, device or file does not exist"
    case .unavailable:
      "Unavailable or only partly available: a sandbox layer, an attack or check, a control, the lock,"
        + " an authentication, a viewfinder, or a format"
    case .breach:
      "A protection does not hold: an attack got through the sandbox, or a property of a filter is not"
        + " proved"
    case .machine: "The kernel lacks a required feature, or the host failed during a session"
    case .store: "The state root, a new app or a proposal cannot be created, read or written"
    case .output: "The output could not be written"
    case .temporaryFailure:
      "Temporary failure: the host received a signal to stop, too many attempts to unlock have failed, another "
        + "session is in the foreground, another process uses the camera or the microphone, or another "
        + "server uses the state root"
    case .protocolViolation: "The extension violated the extension protocol"
    case .violation:
      "The extension violated its policy and was terminated; or the passcode or password is wrong"
    case .timedOut:
      "A deadline passed: launch, watchdog, session, an answer, or the exit of an extension after its "
        + "dismissal"
    case .notExecuted: "The extension or program could not be started"
    case .notFound: "The program does not exist"
    case .cancelled: "The user cancelled a prompt"
    }
  }

  /// The general exit codes, including those of the extension.
  static var table: [ExitCodeSpec] {
    [ExitCodeSpec("0", "The command succeeded; if an extension ran, it exited with 0 or was dismissed")]
      + allCases.sorted { $0.rawValue < $1.rawValue }.map { ExitCodeSpec("\($0.rawValue)", $0.meaning) } + [
        ExitCodeSpec("128+n", "The extension was terminated by signal n"),
        ExitCodeSpec("other", "The extension's own exit code"),
      ]
  }
}
