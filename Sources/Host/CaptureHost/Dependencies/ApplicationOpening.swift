// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

/// A service that opens the app of a session.
package protocol ApplicationOpening: AnyObject {
  /// Throws an error if the app cannot be opened. Called before the session ends for the app.
  func check() throws(ApplicationOpeningError)
  /// Starts the app unless it is already listening to its mailbox.
  ///
  /// The session's content has been migrated, and the delivery is already in the mailbox, where the app may
  /// have taken it. This function does not write the delivery.
  func open(_ delivery: AppDelivery) throws(ApplicationOpeningError)
}

/// The reason why an app cannot be opened.
package enum ApplicationOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The app is not installed.
  case notInstalled(app: String)
  /// The app is not running, and its manifest has no command that opens it.
  case noCommand(app: String)
  /// The command's program does not exist.
  case programNotFound(app: String, program: String)
  /// The command's program is not an executable file.
  case notExecutable(app: String, program: String)
  /// The command exited before it took the delivery, which stays in the mailbox until the next start.
  case exitedAtStart(app: String, ExitStatus, log: String, lastLines: String)
  /// The installation of the app cannot be read.
  case installation(CatalogError)
  /// The command could not be started.
  case notStarted(SystemCallError)
  /// The app's mailbox cannot be written.
  case mailbox(StoreError)
  /// The session was launched without a service that opens apps.
  case noOpener

  /// The message for the extension, which contains no path of the host.
  package var extensionMessage: String {
    switch self {
    case .notInstalled, .noCommand, .noOpener: description
    case .programNotFound, .notExecutable: "the program that opens the app cannot be executed"
    case .exitedAtStart, .notStarted: "the program that opens the app did not start"
    case .installation, .mailbox: "the app cannot be opened; the host's log contains the reason"
    }
  }

  /// The message for the user, with a fix.
  package var description: String {
    switch self {
    case .notInstalled(let app): "app '\(app)' is not installed; run 'darkroom install BUNDLE'"
    case .noCommand(let app):
      "the app \(app) is not running, and its app.json has no command that opens it; add \"open\" to app.json"
    case .programNotFound(let app, let program):
      "\(program), which opens \(app), does not exist; install the program, or correct \"open\" in app.json"
    case .notExecutable(let app, let program):
      "\(program), which opens \(app), is not an executable file; run 'chmod +x \(program)', or correct "
        + "\"open\" in app.json"
    case .exitedAtStart(let app, let status, let log, let lines):
      "\(app) \(Self.ending(status)) before it received its activity, which is delivered at the next start of the app; "
        + "output in \(log): \(lines.isEmpty ? "none" : lines)"
    case .installation(let error): "\(error)"
    case .notStarted(let error): "the app's command cannot be started: \(error)"
    case .mailbox(let error): "the app's mailbox cannot be written: \(error)"
    case .noOpener:
      "this session cannot open apps; launch the extension from a control, or with 'darkroom run'"
    }
  }

  /// Returns the exit status as text.
  private static func ending(_ status: ExitStatus) -> String {
    switch status {
    case .exited(let code): "exited with code \(code)"
    case .signaled(let signal): "was terminated by \(signal)"
    }
  }
}
