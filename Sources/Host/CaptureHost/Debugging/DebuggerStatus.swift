// SPDX-License-Identifier: Apache-2.0

/// The tracing status of an extension that was launched for a debugger.
package enum DebuggerStatus: Sendable, Equatable {
  /// The extension is stopped and not traced.
  case stopped
  /// The process with this ID traces the extension.
  case traced(by: Int32)
  /// The extension runs and is not traced.
  case running
  /// The extension has exited, or is not visible in `/proc`.
  case exited
}

/// An event that is reported to a user who waits to debug an extension.
package enum DebuggerEvent: Sendable, Equatable {
  /// The extension is stopped before its first instruction, and a debugger can attach.
  case waiting
  /// The process with this ID has attached. All deadlines are suspended.
  case attached(Int32)
  /// The debugger has detached. All deadlines restart.
  case detached
  /// The session was terminated, but the process with this ID still traces a dead process of the session.
  case holdsExitedProcess(Int32)
}
