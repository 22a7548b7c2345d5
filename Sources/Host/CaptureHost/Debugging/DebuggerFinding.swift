// SPDX-License-Identifier: Apache-2.0

/// What a look at an extension brings that was launched for a debugger.
package enum DebuggerFinding: Sendable, Equatable {
  /// It is stopped, and nobody traces it.
  case stopped
  /// This process traces it.
  case traced(by: Int32)
  /// It runs, and nobody traces it.
  case running
  /// It has ended, or cannot be seen.
  case gone
}

/// What whoever waits to debug an extension has to know.
package enum DebuggerNews: Sendable, Equatable {
  /// The extension is stopped before its first instruction, and a debugger can attach.
  case waiting
  /// This process has attached; time stands still.
  case attached(Int32)
  /// Nobody is attached any more; every deadline begins anew.
  case left
  /// The session is ended, but this process still holds what has ended.
  case holds(Int32)
}
