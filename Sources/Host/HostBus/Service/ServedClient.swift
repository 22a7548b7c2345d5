// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

/// A client of the host interface that the service uses for a D-Bus client, or for itself.
struct ServedClient {
  /// The client.
  let host: HostClient
  /// Negotiates the version. Operations start after its end.
  let greeting: Task<Void, Never>
  /// Whether the sessions of the client are being dismissed.
  var isClosing = false
  /// The number of launches that have not returned yet.
  var launches = 0
  /// The events of the sessions that the pending launches have created, in order.
  private(set) var earlyEvents: [(session: String, event: JSONValue)] = []

  /// Creates a client.
  init(_ host: HostClient, greeting: Task<Void, Never>) { (self.host, self.greeting) = (host, greeting) }

  /// Keeps an event of an unknown session until the launch of the session returns. Without a pending launch,
  /// the session has ended, and the event is dropped.
  mutating func keep(_ event: JSONValue, of session: String) {
    guard launches > 0, earlyEvents.count < BusLimits.earlyEvents else { return }
    earlyEvents.append((session, event))
  }

  /// Ends a launch. Returns the events of its session, or none if the launch failed.
  mutating func endLaunch(of session: String?) -> [JSONValue] {
    launches -= 1
    let events = earlyEvents.filter { $0.session == session }.map(\.event)
    earlyEvents = launches == 0 ? [] : earlyEvents.filter { $0.session != session }
    return events
  }
}

/// A connection on the bus that has called a method.
struct BusCaller {
  /// The access of a caller.
  enum Access {
    /// The caller has the UID of the service.
    case permitted
    /// The caller has another UID.
    case denied
  }

  /// The access of the caller.
  let access: Access
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
