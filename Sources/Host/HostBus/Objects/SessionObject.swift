// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

/// A session of the server.
struct SessionObject {
  /// The state of a session.
  enum State: String {
    /// The extension runs.
    case running
    /// The extension was requested to exit.
    case dismissing
    /// The session has ended.
    case ended
  }

  /// The ID of the session.
  let id: String
  /// The ID of the extension, the name of the program, or the IDs of the app and its control.
  let target: String
  /// The client of the host interface that performs the operations on the session.
  let owner: BusOwner
  /// The unique bus name of the client that launched the session, or `nil` for a client of another transport.
  let launcher: String?
  /// The state.
  private(set) var state = State.running
  /// Whether the extension has presented its viewfinder.
  private(set) var isPresented = false
  /// Whether the extension accepts presses.
  private(set) var acceptsPresses = false
  /// Whether the last event of the session has arrived.
  private(set) var hasEnded = false
  /// The result, or the reason why it is unavailable; `nil` if the content is not migrated yet.
  var result: Result<JSONValue, OperationError>?
  /// The calls that wait for the result.
  var waitingCalls: [UInt64] = []

  /// Creates a running session.
  init(_ id: String, target: String, owner: BusOwner, launcher: String?) {
    (self.id, self.target, self.owner, self.launcher) = (id, target, owner, launcher)
  }

  /// The D-Bus properties.
  var properties: [(String, BusValue)] {
    [
      ("Id", .string(id)), ("Target", .string(target)), ("State", .string(state.rawValue)),
      ("Presented", .bool(isPresented)), ("AcceptsPresses", .bool(acceptsPresses)),
    ]
  }

  /// Applies an event of the session. Returns the properties that the event changes.
  mutating func apply(_ event: JSONValue) -> [(String, BusValue)] {
    let before = self
    switch event["kind"]?.string {
    case "presented": isPresented = true
    case "acceptsPresses": acceptsPresses = event["accepts"]?.bool ?? false
    case "dismissing": state = .dismissing
    case "ended":
      (state, acceptsPresses, hasEnded) = (.ended, false, true)
    default: break
    }
    return changes(since: before)
  }

  /// Marks the session as ended, even if its last event did not arrive. Returns the changed properties.
  mutating func end() -> [(String, BusValue)] { apply(["kind": "ended"]) }

  private func changes(since before: SessionObject) -> [(String, BusValue)] {
    let isChanged = [
      "State": state != before.state, "Presented": isPresented != before.isPresented,
      "AcceptsPresses": acceptsPresses != before.acceptsPresses,
    ]
    return properties.filter { isChanged[$0.0] ?? false }
  }
}
