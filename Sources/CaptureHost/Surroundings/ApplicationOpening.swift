// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

/// Opens the app of a session.
package protocol ApplicationOpening: AnyObject {
  /// Whether the app could be opened, before anything ends for it.
  func check() throws(ApplicationOpeningError)
  /// Tells the app, and starts it if it does not run. The session's content is there by now.
  ///
  /// A delivery whose file is in the mailbox already is not written again; only whoever has to be started is.
  func open(_ delivery: AppDelivery) throws(ApplicationOpeningError)
}

/// Why an app is not opened.
package enum ApplicationOpeningError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No such app is installed.
  case notInstalled(app: String)
  /// The app's manifest names no command that opens it, and it does not run.
  case noCommand(app: String)
  /// The command cannot be started.
  case notStarted(SystemCallError)
  /// Its mailbox cannot be written.
  case mailbox(StoreError)
  /// Nobody here opens apps.
  case nobody

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .notInstalled(let app): "the app \(app) is not installed; run: darkroom install BUNDLE"
    case .noCommand(let app):
      "the app \(app) does not run, and its app.json names no command that opens it; add \"open\" to it"
    case .notStarted(let error): "the app's command cannot be started: \(error)"
    case .mailbox(let error): "the app's mailbox cannot be written: \(error)"
    case .nobody:
      "this session was launched so that it can open no app; launch it from a control, or with darkroom run"
    }
  }
}
