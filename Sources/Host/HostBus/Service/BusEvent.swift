// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

/// The owner of a client of the host interface.
enum BusOwner: Hashable, Sendable {
  /// The service itself: it owns detached sessions and watches the apps.
  case service
  /// The client with a unique bus name.
  case client(String)
}

/// The state of the host that the service reads at its start.
struct InitialState: Sendable {
  /// The names of the shipped policies.
  var policies: [String]
  /// The installed apps.
  var apps: [JSONValue]
}

/// An event that another thread reports to the thread of the bus.
enum BusEvent: Sendable {
  /// The initial state was read.
  case loaded(Result<InitialState, OperationError>)
  /// The operation of a call has ended.
  case finished(call: UInt64, Result<OperationResult, OperationError>)
  /// The host interface has sent a notification.
  case notification(_ method: String, JSONValue)
  /// A client of another transport has launched a session.
  case launched(HostOperations.RunningSession)
  /// The content of a session is migrated.
  case result(session: String, Result<JSONValue, OperationError>)
  /// The last event of a session did not follow its result.
  case lastEventOverdue(session: String)
  /// The list of apps was read.
  case apps(Result<[JSONValue], OperationError>)
  /// The list of apps should be read.
  case appsChanged
  /// The subscription to an app's content was created, or `nil` if that failed.
  case watched(app: String, subscription: Int64?)
  /// The lock state has changed.
  case lockStateChanged(String)
  /// All sessions of a client are migrated.
  case closed(BusOwner)
  /// The service should stop.
  case stop
  /// The results of the last sessions did not arrive.
  case resultsOverdue
}
