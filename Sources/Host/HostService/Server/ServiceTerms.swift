// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

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
  /// How things stand with what the server keeps between sessions.
  package var supply: () -> ServiceSupply
  /// Ends what waits for commands to come, and must not wait for that: there will be none.
  package var dismiss: () -> Void
  /// How many clients there can be at a time: as many as the process can have files open for.
  package var mostClients = Self.mostClients(descriptors: FileLimit.soft)
  /// How many more are told that they are not served; whoever comes then is told nothing.
  package var mostTurnedAway = 64
  /// How long a client may take for its request, in nanoseconds.
  package var patience: UInt64 = 5_000_000_000
  /// How long a client may take to close the connection after its command has ended, in nanoseconds.
  package var farewell: UInt64 = 1_000_000_000
  /// How long an output of a client may have no room after the order to stop, in nanoseconds, before it is taken from the
  /// command: a client that reads nothing keeps no server from ending.
  package var stoppingPatience: UInt64 = 20_000_000_000

  /// Describes a server.
  package init(
    version: String,
    perform: @escaping @Sendable (ServedCommand) -> Int32,
    name: @escaping @Sendable (ServiceRequest.Call) throws(ServiceRefusal) -> String,
    supply: @escaping () -> ServiceSupply,
    dismiss: @escaping () -> Void,
    tell: @escaping (ServiceEvent) -> Void
  ) {
    self.version = version
    self.perform = perform
    self.name = name
    self.supply = supply
    self.dismiss = dismiss
    self.tell = tell
  }

  /// How many clients there can be where a process can have so many files open.
  ///
  /// A session takes about 10 of the server's for as long as it runs, and up to twice as many while it begins; beside
  /// the sessions the server has some of its own. Who is left over does it with a process of its own, and its own limit.
  static func mostClients(descriptors: Int) -> Int { min(512, max(0, descriptors - 64) / 24) }
}
