// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText

/// The app context as the extension knows it, in the order of the host's messages.
///
/// A reply takes effect when it is received. A notification takes effect when it is delivered, which can be
/// later. A change that was notified before an update was answered, and is delivered after the reply, must
/// not restore the older context.
struct AppContextTracker {
  /// The context, or null if there is none.
  private(set) var context: JSONValue
  /// The contexts of the unanswered update requests, by the ID of the request.
  private var updates: [Int64: JSONValue] = [:]

  /// Creates the initial state from the context in `session/start`.
  init(_ context: JSONValue) { self.context = context }

  /// Records that a request was sent.
  mutating func didSend(_ request: ExtensionRequest, _ id: Int64) {
    if case .contextUpdate(let context, _) = request { updates[id] = context }
  }

  /// Records the reply to a request, whether or not the caller still waits for it.
  ///
  /// - Parameters:
  ///   - outcome: The reply.
  ///   - id: The ID of the request.
  ///   - notifications: The received notifications that were not delivered yet.
  mutating func didReceiveReply(
    _ outcome: Reply.Outcome,
    _ id: Int64,
    pending notifications: inout [HostNotification]
  ) {
    guard let requested = updates.removeValue(forKey: id) else { return }
    switch outcome {
    case .success: context = requested
    case .failure(let error):
      guard let present = error.currentContext else { return }
      context = present
    }
    for index in notifications.indices {
      if case .contextChanged = notifications[index] { notifications[index] = .contextChanged(context) }
    }
  }

  /// Records that a notification is delivered.
  mutating func didDeliver(_ notification: HostNotification) {
    if case .contextChanged(let context) = notification { self.context = context }
  }
}
