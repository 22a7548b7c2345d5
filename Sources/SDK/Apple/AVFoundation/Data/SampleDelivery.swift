// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// The delivery of samples to a delegate on its queue. It may be used on any thread.
///
/// `@unchecked Sendable`, because Apple's delegates are not Sendable: the delegate is called on its queue only.
final class SampleDelivery<Delegate>: @unchecked Sendable {
  /// The kinds of calls, whose numbers are limited separately.
  enum Call {
    /// The delegate receives a sample.
    case sample
    /// The delegate receives a sample that was dropped.
    case drop
  }

  private let state = Mutex(State())

  private struct State {
    /// The delegate, which is not retained.
    var delegate = Unretained()
    var queue: DispatchQueue?
    /// The number of calls of each kind that the delegate has not finished.
    var pending: [Call: Int] = [:]
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
  ///   - call: The kind of the call.
  ///   - limit: The maximum number of pending calls of this kind.
  ///   - body: The call.
  /// - Returns: `false` if too many calls are pending. Without a delegate, the result is `true`.
  func deliver(_ call: Call = .sample, limit: Int, _ body: @escaping @Sendable (Delegate) -> Void) -> Bool {
    guard let queue else { return true }
    let isAccepted = state.withLock { state in
      guard state.pending[call, default: 0] < limit else { return false }
      state.pending[call, default: 0] += 1
      return true
    }
    guard isAccepted else { return false }
    queue.async {
      if let delegate = self.delegate { body(delegate) }
      self.state.withLock { $0.pending[call, default: 0] -= 1 }
    }
    return true
  }
}
