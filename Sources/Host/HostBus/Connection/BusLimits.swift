// SPDX-License-Identifier: Apache-2.0

/// The limits of the service. All of them exceed the needs of a correct client.
enum BusLimits {
  /// The maximum number of clients that own sessions or have called an operation.
  static let clients = 64
  /// The maximum number of connections that the service has authenticated and that still exist.
  static let callers = 1024
  /// The maximum number of unanswered calls of a client.
  static let callsOfClient = 256
  /// The maximum number of calls that wait for the start of the service.
  static let earlyCalls = 4096
  /// The maximum size of the arguments of a call, in bytes: that of a line of the JSON interface.
  static let argumentBytes = 1 << 20
  /// The maximum nesting of the arguments of a call.
  static let argumentDepth = 16
  /// The maximum size of a reply, in bytes.
  static let replyBytes = 8 << 20
  /// The maximum size of the result that a signal contains, in bytes.
  static let signalBytes = 1 << 20
  /// The maximum number of events that a client's sessions cause before the reply to their launch.
  static let earlyEvents = 1024
  /// The maximum number of results of ended sessions that the service keeps.
  static let results = 64
}
