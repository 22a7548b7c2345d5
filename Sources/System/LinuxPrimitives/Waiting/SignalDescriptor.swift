// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Signals that are read from a descriptor (signalfd(2)).
package enum SignalDescriptor {
  /// Blocks signals in the calling thread and returns a descriptor that reports them.
  ///
  /// A signal that this process ignores remains ignored, as nohup(1) and shells without job control expect of
  /// their children. Call it on the main thread before other threads are created: threads inherit the mask.
  package static func make(_ signals: [Signal]) throws(SystemCallError) -> Descriptor {
    var set = sigset_t()
    sigemptyset(&set)
    // A blocked signal becomes pending although it is ignored, and signalfd(2) would report it.
    for signal in signals where darkroom_is_signal_ignored(signal.rawValue) == 0 {
      sigaddset(&set, signal.rawValue)
    }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    return Descriptor(owning: try check("signalfd") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) })
  }

  /// Returns the next pending signal, or `nil` if there is none.
  package static func next(_ descriptor: borrowing Descriptor) throws(SystemCallError) -> Signal? {
    var information = signalfd_siginfo()
    let outcome = try withUnsafeMutableBytes(of: &information) { bytes throws(SystemCallError) in
      try descriptor.read(into: bytes)
    }
    return outcome == .wouldBlock ? nil : Signal(rawValue: Int32(information.ssi_signo))
  }

  /// Makes writes fail with `EPIPE` for a pipe without a reader, and with `EFBIG` beyond the file size limit,
  /// instead of terminating this process.
  ///
  /// Extensions get the default actions, because the launcher resets every disposition.
  package static func reportFailedWrites() {
    darkroom_ignore_signal(SIGPIPE)
    darkroom_ignore_signal(SIGXFSZ)
  }
}
