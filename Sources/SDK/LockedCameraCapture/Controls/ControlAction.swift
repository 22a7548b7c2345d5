// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// An action that runs on a queue of the extension after the user has adjusted a control.
///
/// `@unchecked Sendable`, because Apple's method takes a closure that need not be Sendable: it is only passed
/// on, and called on its queue.
struct ControlAction: @unchecked Sendable {
  /// The queue on which the action runs.
  private let queue: DispatchQueue
  /// The action; it receives the new value.
  private let body: (Double) -> Void

  init(_ queue: DispatchQueue, _ body: @escaping (Double) -> Void) {
    self.queue = queue
    self.body = body
  }

  /// Runs the action with `value` on its queue.
  func call(_ value: Double) {
    let action = self
    queue.async { action.body(value) }
  }
}
