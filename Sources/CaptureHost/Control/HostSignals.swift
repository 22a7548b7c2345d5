// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The signals that somebody sends the host: they end the session in order instead of the host at once.
package final class HostSignals: Sendable {
  /// Readable when one has arrived.
  package let descriptor: Descriptor

  /// Takes over SIGTERM, SIGINT, SIGHUP and SIGQUIT. Call it on the main thread before there is another.
  package init() throws(SystemCallError) {
    descriptor = try SignalDescriptor.make([.terminate, .interrupt, .hangup, .quit])
  }

  /// The next one that has arrived, or nil.
  func next() throws(SystemCallError) -> Signal? { try SignalDescriptor.next(descriptor) }
}
