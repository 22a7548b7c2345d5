// SPDX-License-Identifier: Apache-2.0

package import HostInterface
internal import LinuxPrimitives

/// The D-Bus service `org.darkroom.Host1`, which offers the operations of the host interface on a message
/// bus.
///
/// A thread of the service owns the connection to the bus. Each client on the bus has a client of the host
/// interface, which is closed when the client disconnects.
package final class HostBus: Sendable {
  /// The reason why the service has ended, if the program did not stop it: the bus was disconnected, or the
  /// state of the host could not be read. The stream ends with the service. Only one task may iterate over
  /// the stream.
  package let ended: AsyncStream<String>

  private let thread: BusThread

  /// Connects to a bus.
  ///
  /// - Parameters:
  ///   - operations: The operations that the service performs.
  ///   - address: The D-Bus address of the bus, or `nil` for the session bus of this process.
  ///   - name: The bus name of the service.
  ///
  /// - Throws: An error if the address is malformed, or no bus accepts the connection.
  package init(
    operations: HostOperations,
    address: String?,
    name: String = "org.darkroom.Host1"
  ) throws(HostBusError) {
    let bus: BusConnection
    do throws(SystemCallError) { bus = try BusConnection.open(address) } catch { throw .bus(error) }
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    ended = stream
    do throws(SystemCallError) {
      let mailbox = try BusMailbox()
      thread = BusThread(BusService(operations, bus, mailbox, name: name), continuation)
    } catch { throw .system(error) }
  }

  /// Acquires the name, and starts to answer calls. Call this function once.
  ///
  /// The function blocks until the bus has replied. The service answers the first calls after the host has
  /// read its state.
  ///
  /// - Throws: ``HostBusError/nameOwned(_:)`` if another process owns the name, or another error if the bus
  ///   cannot be reached.
  package func start() throws(HostBusError) { try thread.start() }

  /// Dismisses the sessions of all clients, releases the name, and returns after the migration.
  package func stop() async { await thread.stop() }
}
