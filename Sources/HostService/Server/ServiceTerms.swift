// SPDX-License-Identifier: Apache-2.0

/// What a server does for clients, and how far it lets them go.
package struct ServiceTerms {
  /// The version of Darkroom that the server is; clients of another are left to themselves.
  package var version: String
  /// Runs a command to its end on the calling thread, a plain one of its own, and gives the exit code.
  package var perform: @Sendable (ServedCommand) -> Int32
  /// The name of the command that a client wants, if it is one that the server runs for it.
  package var name: @Sendable (ServiceRequest.Call) throws(ServiceRefusal) -> String
  /// Is told what happens; must not wait.
  package var tell: (ServiceEvent) -> Void
  /// How many clients there can be at a time.
  package var mostClients = 512
  /// How many more are told that they are not served; whoever comes then is told nothing.
  package var mostTurnedAway = 64
  /// How long a client may take for its request, in nanoseconds.
  package var patience: UInt64 = 5_000_000_000
  /// How long a client may take to close the connection after its command has ended, in nanoseconds.
  package var farewell: UInt64 = 1_000_000_000
  /// How long after the order to stop the streams of clients are taken from their commands, in nanoseconds: a client that
  /// reads nothing keeps no server from ending.
  package var stoppingPatience: UInt64 = 20_000_000_000

  /// Describes a server.
  package init(
    version: String,
    perform: @escaping @Sendable (ServedCommand) -> Int32,
    name: @escaping @Sendable (ServiceRequest.Call) throws(ServiceRefusal) -> String,
    tell: @escaping (ServiceEvent) -> Void
  ) {
    self.version = version
    self.perform = perform
    self.name = name
    self.tell = tell
  }
}
