// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Where the server of a state root is found: a directory that nobody else may enter, with a socket and a lock in it.
package struct ServicePlace: Sendable, Hashable {
  /// The directory.
  package let directory: String

  /// The place of a state root, an absolute path.
  package init(root: String) { directory = "\(root)/serve" }

  /// The socket.
  package var socket: String { "\(directory)/\(Self.socketName)" }
  /// The file whose lock the server holds; it says which process that is.
  package var lockFile: String { "\(directory)/lock" }

  static let socketName = "control"

  /// Calls `body` with a path of the socket that an address has room for, however deep the state root lies.
  func withSocketPath<Result: ~Copyable>(
    _ body: (String) throws(SystemCallError) -> Result
  ) throws(SystemCallError) -> Result {
    try PacketSocket.withAddress(of: Self.socketName, in: directory, body)
  }
}
