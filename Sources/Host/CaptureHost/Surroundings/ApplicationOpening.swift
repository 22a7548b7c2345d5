// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

/// Opens the app of a session.
package protocol ApplicationOpening: AnyObject {
  /// Whether the app could be opened, before anything ends for it.
  func check() throws(ApplicationOpeningError)
  /// Tells the app, and starts it if it does not run. The session's content is there by now.
  ///
  /// The delivery is in the mailbox already, and the app may have taken it: nothing is written here. What is left to do
  /// is to start an app that does not listen.
  func open(_ delivery: AppDelivery) throws(ApplicationOpeningError)
}

/// Why an app is not opened.
package enum ApplicationOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No such app is installed.
  case notInstalled(app: String)
  /// The app's manifest names no command that opens it, and it does not run.
  case noCommand(app: String)
  /// The command's program is not there.
  case noProgram(app: String, program: String)
  /// The command's program is no file that can be executed.
  case notExecutable(app: String, program: String)
  /// The command ended before it had taken what it was opened for; the delivery waits for the next start.
  case endedAtStart(app: String, ExitStatus, log: String, lastLines: String)
  /// What is installed of the app cannot be read.
  case installation(CatalogError)
  /// The command cannot be started.
  case notStarted(SystemCallError)
  /// Its mailbox cannot be written.
  case mailbox(StoreError)
  /// Nobody here opens apps.
  case nobody

  /// What an extension may know of it: not where anything of the host lies.
  package var toldToExtension: String {
    switch self {
    case .notInstalled, .noCommand, .nobody: description
    case .noProgram, .notExecutable: "the program that opens the app cannot be executed"
    case .endedAtStart, .notStarted: "the program that opens the app did not start"
    case .installation, .mailbox: "the app cannot be opened now; the host's log says why"
    }
  }

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .notInstalled(let app): "the app \(app) is not installed; run: darkroom install BUNDLE"
    case .noCommand(let app):
      "the app \(app) does not run, and its app.json names no command that opens it; add \"open\" to it"
    case .noProgram(let app, let program):
      "the program \(program) that opens \(app) is not there; install it, or correct \"open\" in the app's app.json"
    case .notExecutable(let app, let program):
      "\(program), which opens \(app), is not a file that can be executed; chmod +x it, or correct \"open\" in app.json"
    case .endedAtStart(let app, let status, let log, let lines):
      "\(app) \(Self.ending(status)) before it took what it was opened for, which waits for its next start; "
        + "it wrote to \(log): \(lines.isEmpty ? "nothing" : lines)"
    case .installation(let error): "\(error)"
    case .notStarted(let error): "the app's command cannot be started: \(error)"
    case .mailbox(let error): "the app's mailbox cannot be written: \(error)"
    case .nobody:
      "this session was launched so that it can open no app; launch it from a control, or with darkroom run"
    }
  }

  /// How a program ended, in words.
  private static func ending(_ status: ExitStatus) -> String {
    switch status {
    case .exited(let code): "ended with \(code)"
    case .signaled(let signal): "was ended by \(signal)"
    }
  }
}
