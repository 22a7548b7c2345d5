// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The paths of a state root's server: a directory that only this user can enter, with a socket and a lock
/// file.
package struct ServicePaths: Sendable, Hashable {
  /// The path of the directory.
  package let directory: String

  /// Creates the paths for a state root, given as an absolute path.
  package init(root: String) { directory = "\(root)/serve" }

  /// The path of the socket.
  package var socket: String { "\(directory)/\(Self.socketName)" }
  /// The path of the lock file, which contains the PID of the server that holds the lock.
  package var lockFile: String { "\(directory)/lock" }

  static let socketName = "control"

  /// Calls `body` with a path of the socket that fits into a socket address, regardless of the length of the
  /// state root's path.
  func withSocketPath<Result: ~Copyable>(
    _ body: (String) throws(SystemCallError) -> Result
  ) throws(SystemCallError) -> Result {
    try PacketSocket.withAddress(of: Self.socketName, in: directory, body)
  }
}
