// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText

/// What an extension knows of the app context, in the order in which the host has said it.
///
/// Answers count when they come, and what the host tells when it is heard, which can be later. So a change that was told
/// before an update was answered, and is heard after it, must not bring the older context back.
struct ContextKnowledge {
  /// The context; null for none.
  private(set) var context: JSONValue
  /// What was asked to be stored and is not answered yet, by the identifier of the request.
  private var updates: [Int64: JSONValue] = [:]

  /// Begins with what `session/start` says.
  init(_ context: JSONValue) { self.context = context }

  /// A request was sent.
  mutating func asked(_ request: ExtensionRequest, _ id: Int64) {
    if case .contextUpdate(let context, _) = request { updates[id] = context }
  }

  /// A request was answered, whether or not somebody still waits for that; `notifications` are those not heard yet.
  mutating func answered(
    _ outcome: Reply.Outcome,
    _ id: Int64,
    waiting notifications: inout [HostNotification]
  ) {
    guard let wanted = updates.removeValue(forKey: id) else { return }
    switch outcome {
    case .success: context = wanted
    case .failure(let error):
      guard let present = error.presentContext else { return }
      context = present
    }
    for index in notifications.indices {
      if case .contextChanged = notifications[index] { notifications[index] = .contextChanged(context) }
    }
  }

  /// What the host tells is heard now.
  mutating func told(_ notification: HostNotification) {
    if case .contextChanged(let context) = notification { self.context = context }
  }
}
