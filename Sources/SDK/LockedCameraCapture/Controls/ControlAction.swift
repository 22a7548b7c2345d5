// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// What is done in a queue of the author's when the person has adjusted a control.
///
/// Unchecked, because Apple's method takes a closure that need not be Sendable: it is only passed on, and called in the queue
/// that came with it.
struct ControlAction: @unchecked Sendable {
  /// Where it is done.
  private let queue: DispatchQueue
  /// What is done with the new value.
  private let body: (Double) -> Void

  init(_ queue: DispatchQueue, _ body: @escaping (Double) -> Void) {
    self.queue = queue
    self.body = body
  }

  /// Has it done.
  func call(_ value: Double) {
    let action = self
    queue.async { action.body(value) }
  }
}
