// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The comparison of a client's process with that of the server.
package enum ClientComparison {
  /// Compares a client with the server. A process that cannot be inspected is a difference.
  ///
  /// - Parameters:
  ///   - server: The attributes of the server.
  ///   - client: The PID of the client.
  ///   - handle: The descriptor of a handle of that process.
  ///   - compare: Returns the first difference between the attributes of the server and those of the client.
  /// - Returns: The first difference, or `nil` if there is none.
  package static func difference(
    _ server: ProcessAttributes?,
    _ client: Int32,
    handle: Int32,
    _ compare: (ProcessAttributes, ProcessAttributes) -> String?
  ) -> String? {
    guard let server else { return "the /proc entry of the server" }
    guard let other = ProcessAttributes.of(client) else { return "the /proc entry of the client" }
    // If the client is still running, its PID cannot have been reused before it was inspected.
    guard let ended = try? Poller.wait([(handle, .readable)], until: 0), ended[0].isEmpty else {
      return "the state of the client, which has exited,"
    }
    return compare(server, other)
  }

  /// Compares the restrictions of a client with those of a server of other programs. If they differed, a confined
  /// program could do by the server what it must not do itself.
  ///
  /// - Parameters:
  ///   - server: The attributes of the server.
  ///   - client: The PID of the client, or `nil` if it is unknown.
  ///   - handle: Returns a handle of that process.
  /// - Returns: The reason why the server refuses the client, or `nil` if it serves the client.
  package static func refusal(
    by server: ProcessAttributes?,
    of client: Int32?,
    _ handle: (Int32) throws(SystemCallError) -> ProcessHandle
  ) -> String? {
    guard let difference = confinement(server, client, handle) else { return nil }
    return
      "the server does not serve this program, because \(difference) differs from that of the server; run both with "
      + "the same restrictions"
  }

  private static func confinement(
    _ server: ProcessAttributes?,
    _ client: Int32?,
    _ handle: (Int32) throws(SystemCallError) -> ProcessHandle
  ) -> String? {
    guard let client, let process = try? handle(client) else { return "the /proc entry of the client" }
    return difference(server, client, handle: process.descriptor.rawValue) { $0.confinement(unlike: $1) }
  }
}
