// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The operations and limits of a server.
package struct ServiceConfiguration {
  /// The version of Darkroom. Clients of other versions are refused.
  package var version: String
  /// Runs a command to its end on the calling thread, which serves only this command, and returns the exit
  /// code.
  package var perform: @Sendable (ServedCommand) -> Int32
  /// Returns the name of a requested command, or throws a refusal if the server does not run it.
  package var name: @Sendable (ServiceRequest.Call) throws(ServiceRefusal) -> String
  /// Receives the events of the server. It must not block.
  package var tell: (ServiceEvent) -> Void
  /// Returns the state of prewarming.
  package var supply: () -> PrewarmingStatus
  /// Ends prewarmed extensions and stops the other services of the process, because no more commands will
  /// arrive. It must not block.
  package var dismiss: () -> Void
  /// Returns whether the other services of the process have finished after ``dismiss``.
  package var isFinished: () -> Bool = { true }
  /// The path of the socket for programs, or `nil` if the process serves only commands.
  package var programSocket: String?
  /// The maximum number of simultaneous clients. The default depends on the limit on open files.
  package var maximumClients = Self.maximumClients(descriptors: FileLimit.soft)
  /// The maximum number of additional clients that receive a refusal. Further clients are disconnected
  /// without a reply.
  package var maximumRefusedClients = 64
  /// The time limit for a client's request, in nanoseconds.
  package var requestTimeout: UInt64 = 5_000_000_000
  /// The time limit for a client to close the connection after its command has exited, in nanoseconds.
  package var closeTimeout: UInt64 = 1_000_000_000
  /// The time in nanoseconds after which a full output is replaced when the server is stopping. So a client
  /// that does not read cannot keep the server from exiting.
  package var stoppingTimeout: UInt64 = 20_000_000_000

  /// Creates the configuration of a server.
  package init(
    version: String,
    perform: @escaping @Sendable (ServedCommand) -> Int32,
    name: @escaping @Sendable (ServiceRequest.Call) throws(ServiceRefusal) -> String,
    supply: @escaping () -> PrewarmingStatus,
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

  /// Returns the maximum number of simultaneous clients for a limit on open files.
  ///
  /// A running session needs about 10 descriptors of the server, and up to twice as many while it starts. The
  /// server itself needs some as well. Clients above the maximum run their command in their own process, with
  /// its own limit.
  static func maximumClients(descriptors: Int) -> Int { min(512, max(0, descriptors - 64) / 24) }
}
