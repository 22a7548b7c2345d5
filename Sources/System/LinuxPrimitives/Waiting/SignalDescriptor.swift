// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Signals that arrive as something to read (signalfd(2)).
package enum SignalDescriptor {
  /// Blocks the signals in the calling thread and gives a descriptor that reports them.
  ///
  /// Call it on the main thread before any other thread is made: threads inherit the mask.
  package static func make(_ signals: [Signal]) throws(SystemCallError) -> Descriptor {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.rawValue) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    return Descriptor(owning: try check("signalfd") { signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK)) })
  }

  /// The next signal that has arrived, or nil.
  package static func next(_ descriptor: borrowing Descriptor) throws(SystemCallError) -> Signal? {
    var information = signalfd_siginfo()
    let outcome = try withUnsafeMutableBytes(of: &information) { bytes throws(SystemCallError) in
      try descriptor.read(into: bytes)
    }
    return outcome == .wouldBlock ? nil : Signal(rawValue: Int32(information.ssi_signo))
  }

  /// Makes writing to a pipe that nobody reads (`EPIPE`), and beyond the limit on the size of a file (`EFBIG`), an error
  /// instead of the end of this process.
  ///
  /// Children get the default again: the launcher resets every disposition.
  package static func reportFailedWrites() {
    darkroom_ignore_signal(SIGPIPE)
    darkroom_ignore_signal(SIGXFSZ)
  }
}
