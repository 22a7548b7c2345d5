// SPDX-License-Identifier: Apache-2.0

internal import HostInterface

/// A client of the host interface that the service uses for a D-Bus client, or for itself.
struct ServedClient {
  /// The client.
  let host: HostClient
  /// Whether the sessions of the client are being dismissed.
  var isClosing = false

  /// Creates a client.
  init(_ host: HostClient) { self.host = host }
}

/// A connection on the bus that has called a method.
struct BusCaller {
  /// The reason why its calls are refused, or `nil` if they are permitted.
  let refusal: String?
  /// The number of its calls that are not answered yet.
  var pendingCalls = 0
}

/// A call that is not answered yet.
struct PendingCall {
  /// The message of the call.
  let message: ReceivedMessage
  /// The unique bus name of the caller.
  let sender: String
  /// The object of the call.
  let object: BusObject
  /// The signature of the reply.
  let output: String
  /// The operation that the call performs, or `nil` if the call waits for something else.
  let operation: HostOperation?
}

/// A call of an existing method with arguments of the right types.
struct ResolvedCall {
  /// The message.
  let message: ReceivedMessage
  /// The unique bus name of the caller.
  let sender: String
  /// The path, which need not belong to an object.
  let path: String
  /// The object, or ``BusObject/manager`` for a path without an object.
  let object: BusObject
  /// The interface.
  let interface: BusInterface
  /// The name of the method.
  let member: String
  /// The signature of the reply.
  let output: String
  /// The arguments.
  let arguments: BusArguments
}
