// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The paths of a server of a state root: a directory that only this user can enter, with a socket and a lock
/// file.
package struct ServicePaths: Sendable, Hashable {
  /// The path of the directory.
  package let directory: String
  /// The clients of the server.
  let clients: Clients

  /// The clients of a server.
  package enum Clients: Sendable, Hashable {
    /// The `darkroom` command, which passes its command line in packets.
    case commands
    /// Programs that speak JSON-RPC over a stream socket.
    case programs
  }

  /// Creates the paths for a state root, given as an absolute path.
  package init(root: String, for clients: Clients = .commands) {
    (directory, self.clients) = ("\(root)/serve", clients)
  }

  /// The path of the socket.
  package var socket: String { "\(directory)/\(socketName)" }
  /// The path of the lock file, which contains the PID of the server that holds the lock.
  package var lockFile: String { "\(directory)/\(clients == .commands ? "lock" : "host.lock")" }

  var socketName: String { clients == .commands ? "control" : "host" }

  /// Calls `body` with a path of the socket that fits into a socket address, regardless of the length of the
  /// state root's path.
  func withSocketPath<Result: ~Copyable>(
    _ body: (String) throws(SystemCallError) -> Result
  ) throws(SystemCallError) -> Result {
    try PacketSocket.withAddress(of: socketName, in: directory, body)
  }
}
