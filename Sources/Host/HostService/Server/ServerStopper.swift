// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Synchronization

/// Stops a server from any thread.
package final class ServerStopper: Sendable {
  /// Becomes readable when ``wake()`` or ``stop()`` is called. The server resets it.
  package let event: HeldDescriptor
  private let state = Mutex(false)

  /// Creates the stopper of one server.
  package init() throws(SystemCallError) { event = HeldDescriptor(try EventCounter.make()) }

  /// Whether the server was stopped.
  package var isStopped: Bool { state.withLock { $0 } }

  /// Stops the server as a signal does.
  package func stop() {
    state.withLock { $0 = true }
    wake()
  }

  /// Wakes the loop of the server.
  package func wake() { try? EventCounter.add(to: event.descriptor) }
}
