// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import ExtensionProtocol

/// The state of ``ThreadCalls``, which a lock protects.
struct ThreadCallState {
  /// A call without a result.
  struct Call {
    /// Runs when the reply is read, in the order of the replies.
    let effect: @Sendable (Reply.Outcome) -> Void
    /// The reply, or `nil` until it is read.
    var outcome: Reply.Outcome?
  }

  /// The thread that has the right to read from the host.
  enum Reader: Equatable {
    /// No thread.
    case none
    /// The main thread, with the number of its functions that read.
    case mainThread(depth: Int)
    /// Another thread, which waits for the reply to its call.
    case caller
  }

  /// The ID of the last request of any thread.
  var lastID: Int64 = 0
  /// The thread that reads.
  var reader = Reader.none
  /// The calls by the ID of their request.
  var calls: [Int64: Call] = [:]
  /// The messages for the main thread that other threads have read.
  var deferred: [HostMessage] = []
  /// The threads that wait for a change of this state.
  var waiting: [DispatchSemaphore] = []
  /// The failure that ends all calls.
  var failure: ExtensionFailure?

  /// Makes the main thread the reader. Returns `false` if another thread reads.
  mutating func beginReadingOnMainThread() -> Bool {
    switch reader {
    case .none: reader = .mainThread(depth: 1)
    case .mainThread(let depth): reader = .mainThread(depth: depth + 1)
    case .caller: return false
    }
    return true
  }

  /// Ends one function of the reader.
  mutating func endReading() {
    if case .mainThread(let depth) = reader, depth > 1 {
      reader = .mainThread(depth: depth - 1)
    } else {
      reader = .none
      wake()
    }
  }

  /// Wakes all waiting threads.
  mutating func wake() {
    for thread in waiting { thread.signal() }
    waiting = []
  }
}
