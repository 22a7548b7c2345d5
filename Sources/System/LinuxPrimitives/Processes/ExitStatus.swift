// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The exit status of a process.
package enum ExitStatus: Hashable, Sendable {
  /// The process exited with this code.
  case exited(Int32)
  /// A signal terminated the process.
  case signaled(Signal)

  /// Creates a status from the value of wait(2).
  package init(waitStatus: Int32) {
    let signal = darkroom_exit_signal(waitStatus)
    self = signal == 0 ? .exited(darkroom_exit_code(waitStatus)) : .signaled(Signal(rawValue: signal))
  }

  /// The exit code that a shell reports: the code itself, or 128 plus the signal number.
  package var shellCode: Int32 {
    switch self {
    case .exited(let code): code
    case .signaled(let signal): 128 + signal.rawValue
    }
  }
}

/// A signal (signal(7)).
package struct Signal: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The signal number.
  package let rawValue: Int32
  /// Creates a signal from its number.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The corresponding signal is `SIGKILL`.
  package static let kill = Signal(rawValue: SIGKILL)
  /// The corresponding signal is `SIGTERM`.
  package static let terminate = Signal(rawValue: SIGTERM)
  /// The corresponding signal is `SIGINT`.
  package static let interrupt = Signal(rawValue: SIGINT)
  /// The corresponding signal is `SIGHUP`.
  package static let hangup = Signal(rawValue: SIGHUP)
  /// The corresponding signal is `SIGQUIT`.
  package static let quit = Signal(rawValue: SIGQUIT)
  /// The corresponding signal is `SIGSTOP`.
  package static let stop = Signal(rawValue: SIGSTOP)
  /// The corresponding signal is `SIGCONT`.
  package static let resume = Signal(rawValue: SIGCONT)
  /// The corresponding signal is `SIGTSTP`.
  package static let terminalStop = Signal(rawValue: SIGTSTP)
  /// The kernel sends it to a background process group that reads from its terminal. The corresponding signal
  /// is `SIGTTIN`.
  package static let terminalInput = Signal(rawValue: SIGTTIN)
  /// The corresponding signal is `SIGABRT`.
  package static let abort = Signal(rawValue: SIGABRT)
  /// The corresponding signal is `SIGSYS`.
  package static let badSystemCall = Signal(rawValue: SIGSYS)
  /// The corresponding signal is `SIGXFSZ`.
  package static let fileSizeExceeded = Signal(rawValue: SIGXFSZ)
  /// The corresponding signal is `SIGXCPU`.
  package static let processorTimeExceeded = Signal(rawValue: SIGXCPU)
  /// The corresponding signal is `SIGPIPE`.
  package static let brokenPipe = Signal(rawValue: SIGPIPE)
  /// The corresponding signal is `SIGWINCH`.
  package static let windowChanged = Signal(rawValue: SIGWINCH)

  /// The name, for example `SIGKILL`.
  package var description: String {
    darkroom_signal_name(rawValue).map { "SIG" + String(cString: $0) } ?? "signal \(rawValue)"
  }
}
