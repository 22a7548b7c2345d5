// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import LinuxPrimitives

/// Handles a terminal stop of the host (Ctrl-Z). The viewfinder releases the terminal first, so that the
/// output of the shell is visible. The corresponding signal is `SIGTSTP`.
package final class TerminalStopHandler: TerminalStopping {
  private let signals: Descriptor
  private let viewfinder: TerminalViewfinder
  /// The control that reads keys from the terminal, or `nil` without one.
  package var control: TerminalControl?

  /// Replaces the default action of the signal. Call it on the main thread before other threads are started.
  package init(_ viewfinder: TerminalViewfinder) throws(SystemCallError) {
    signals = try SignalDescriptor.make([.terminalStop])
    self.viewfinder = viewfinder
  }

  /// The descriptor to poll for the signal.
  package var readable: Int32 { signals.rawValue }

  /// Stops this process if the signal has arrived, and returns after it was continued.
  package func take() throws(SystemCallError) {
    while try SignalDescriptor.next(signals) != nil {
      // A prompt for the user may have disabled echo.
      let lent = viewfinder.stateWhilePaused
      viewfinder.pause(true)
      control?.restoreTerminal()
      CurrentProcess.stop()
      if !viewfinder.isInBackground { lent?.restore() }
      control?.resume()
      viewfinder.pause(false)
    }
  }
}
