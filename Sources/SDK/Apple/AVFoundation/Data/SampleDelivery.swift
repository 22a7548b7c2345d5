// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// The delivery of samples to a delegate on its queue. It may be used on any thread.
///
/// `@unchecked Sendable`, because Apple's delegates are not Sendable: the delegate is called on its queue only.
final class SampleDelivery<Delegate>: @unchecked Sendable {
  private let state = Mutex(State())

  private struct State {
    /// The delegate, which is not retained.
    var delegate = Unretained()
    var queue: DispatchQueue?
    /// The number of samples that the delegate has not finished with.
    var pending = 0
  }

  private struct Unretained: @unchecked Sendable { weak var object: AnyObject? }

  init() {}

  /// The delegate, or `nil` if there is none.
  var delegate: Delegate? { state.withLock { $0.delegate }.object as? Delegate }

  /// The queue of the delegate, or `nil` if there is none.
  var queue: DispatchQueue? { state.withLock(\.queue) }

  /// Sets the delegate and its queue.
  func set(_ delegate: AnyObject?, _ queue: DispatchQueue?) {
    let entry = Unretained(object: delegate)
    state.withLock { ($0.delegate, $0.queue) = (entry, queue) }
  }

  /// Calls `body` with the delegate on its queue, unless too many calls are pending.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of pending calls.
  ///   - body: The call.
  /// - Returns: `false` if too many calls are pending. Without a delegate, the result is `true`.
  func deliver(limit: Int, _ body: @escaping @Sendable (Delegate) -> Void) -> Bool {
    guard let queue else { return true }
    let isAccepted = state.withLock { state in
      guard state.pending < limit else { return false }
      state.pending += 1
      return true
    }
    guard isAccepted else { return false }
    queue.async {
      if let delegate = self.delegate { body(delegate) }
      self.state.withLock { $0.pending -= 1 }
    }
    return true
  }
}
