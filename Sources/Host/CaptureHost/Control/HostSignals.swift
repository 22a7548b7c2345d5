// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The termination signals of the host, which dismiss the session instead of terminating the host.
package final class HostSignals: Sendable {
  /// The descriptor that becomes readable when a signal has arrived.
  package let descriptor: Descriptor
  private let source: Source

  /// The source of the signals.
  private enum Source {
    /// The kernel, through signalfd(2).
    case signalDescriptor
    /// Another process, which forwards each signal as a byte.
    case relayed
  }

  /// Blocks SIGTERM, SIGINT, SIGHUP and SIGQUIT and receives those that this process does not ignore.
  ///
  /// Call this initializer on the main thread before any other thread starts, because threads inherit the
  /// signal mask.
  package init() throws(SystemCallError) {
    descriptor = try SignalDescriptor.make([.terminate, .interrupt, .hangup, .quit])
    source = .signalDescriptor
  }

  /// Receives signals that were sent to another process, for which this process works.
  ///
  /// - Parameter relay: A nonblocking descriptor from which each signal number is read as one byte.
  package init(relayedBy relay: consuming Descriptor) {
    descriptor = relay
    source = .relayed
  }

  /// Returns the next signal that has arrived, or `nil` if there is none.
  package func next() throws(SystemCallError) -> Signal? {
    switch source {
    case .signalDescriptor: return try SignalDescriptor.next(descriptor)
    case .relayed:
      var byte: UInt8 = 0
      let outcome = try withUnsafeMutableBytes(of: &byte) { bytes throws(SystemCallError) in
        try descriptor.read(into: bytes)
      }
      return outcome == .bytes(1) ? Signal(rawValue: Int32(byte)) : nil
    }
  }
}
