// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import LinuxPrimitives

/// A stop of the host at its terminal (Ctrl-Z): the terminal is left first, so that the shell that comes to the front
/// writes where a person sees it. The corresponding signal is `SIGTSTP`.
package final class TerminalStop: TerminalStopping {
  private let signals: Descriptor
  private let viewfinder: TerminalViewfinder
  /// Who takes keys from the terminal; nil: nobody.
  package var control: TerminalControl?

  /// Takes the signal over from the kernel. Call it on the main thread before there is another.
  package init(_ viewfinder: TerminalViewfinder) throws(SystemCallError) {
    signals = try SignalDescriptor.make([.terminalStop])
    self.viewfinder = viewfinder
  }

  /// What to watch for it.
  package var readable: Int32 { signals.rawValue }

  /// Stops this process if somebody wants that, until somebody lets it go on.
  package func take() throws(SystemCallError) {
    while try SignalDescriptor.next(signals) != nil {
      // Somebody who asks the person may have made the terminal silent.
      let lent = viewfinder.lentState
      viewfinder.pause(true)
      control?.giveBack()
      CurrentProcess.stop()
      if !viewfinder.isBehind { lent?.restore() }
      control?.takeAgain()
      viewfinder.pause(false)
    }
  }
}
