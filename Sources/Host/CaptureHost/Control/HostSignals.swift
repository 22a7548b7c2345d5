// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The signals that somebody sends the host: they end the session in order instead of the host at once.
package final class HostSignals: Sendable {
  /// Readable when one has arrived.
  package let descriptor: Descriptor
  private let way: Way

  /// How signals arrive.
  private enum Way {
    /// The kernel's way (signalfd(2)).
    case kernel
    /// Somebody else has them, and passes each on as a byte.
    case relayed
  }

  /// Takes over SIGTERM, SIGINT, SIGHUP and SIGQUIT. Call it on the main thread before there is another.
  package init() throws(SystemCallError) {
    descriptor = try SignalDescriptor.make([.terminate, .interrupt, .hangup, .quit])
    way = .kernel
  }

  /// Takes those that were sent to another process, for which this one does something. `relay` brings the number of each
  /// as a byte, and never waits.
  package init(relayedBy relay: consuming Descriptor) {
    descriptor = relay
    way = .relayed
  }

  /// The next one that has arrived, or nil.
  package func next() throws(SystemCallError) -> Signal? {
    switch way {
    case .kernel: return try SignalDescriptor.next(descriptor)
    case .relayed:
      var byte: UInt8 = 0
      let outcome = try withUnsafeMutableBytes(of: &byte) { bytes throws(SystemCallError) in
        try descriptor.read(into: bytes)
      }
      return outcome == .bytes(1) ? Signal(rawValue: Int32(byte)) : nil
    }
  }
}
