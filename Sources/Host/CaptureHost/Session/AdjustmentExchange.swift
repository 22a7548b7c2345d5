// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// What the thread that drives a session and the one that sets its camera share.
final class AdjustmentExchange: Sendable {
  /// How many requests wait at once; more are refused, so that nobody fills the host's memory with them.
  static let mostWaiting = 16

  /// What is shared.
  private struct State {
    /// What is to be done, in order; the first is being done. Numbered, as an extension may give two the same id.
    var wishes: [(number: Int, id: RequestID, wish: CameraWish)] = []
    /// How many there were.
    var count = 0
    /// What has been done.
    var replies: [Reply] = []
    /// What could not be set back.
    var faults: [String] = []
    /// Whether all is to be as it was before the session.
    var isToBeReset = false
    /// Whether nothing more is done.
    var isOver = false
  }

  /// Readable when something has been done.
  let answers: Descriptor
  /// Readable when nothing more is done.
  let ended: Descriptor
  /// Readable when there is something to do.
  private let work: Descriptor
  private let state = Mutex(State())

  /// Nothing is asked yet.
  init() throws(SystemCallError) {
    answers = try EventCounter.make()
    ended = try EventCounter.make()
    work = try EventCounter.make()
  }
}

// MARK: - On the thread that drives the session

extension AdjustmentExchange {
  /// Takes a wish; false: too many wait.
  func take(_ wish: CameraWish, _ id: RequestID) -> Bool {
    let isTaken = state.withLock { state in
      guard state.wishes.count < Self.mostWaiting else { return false }
      state.count += 1
      state.wishes.append((state.count, id, wish))
      return true
    }
    if isTaken { try? EventCounter.add(to: work) }
    return isTaken
  }

  /// What has been done since this was last asked, in order.
  func takeAnswers() -> [Reply] {
    _ = try? EventCounter.take(answers)
    return state.withLock { state in
      defer { state.replies = [] }
      return state.replies
    }
  }

  /// What could not be set back since this was last asked.
  func takeFaults() -> [String] {
    state.withLock { state in
      defer { state.faults = [] }
      return state.faults
    }
  }

  /// Something went wrong.
  func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  /// Answers what waits with an error; nothing of it is done that was not begun.
  func cancel(_ code: ProtocolErrorCode, _ sentence: String, isToBeReset: Bool) {
    state.withLock { state in
      state.isToBeReset = state.isToBeReset || isToBeReset
      state.replies += state.wishes.map { Reply(id: $0.id, error: code, sentence) }
      state.wishes = []
    }
    try? EventCounter.add(to: answers)
    try? EventCounter.add(to: work)
  }

  /// Has nothing more done; what was done is undone.
  func stop() {
    state.withLock { state in
      state.isOver = true
      state.wishes = []
    }
    try? EventCounter.add(to: work)
  }
}

// MARK: - On the thread that sets the camera

extension AdjustmentExchange {
  /// Does what is asked, until all is over.
  func work(_ worker: consuming AdjustmentWorker) {
    defer { try? EventCounter.add(to: ended) }
    while true {
      _ = try? EventCounter.take(work)
      let (next, isToBeReset, isOver) = state.withLock { state in
        defer { state.isToBeReset = false }
        return (state.wishes.first, state.isToBeReset, state.isOver)
      }
      if isToBeReset || isOver {
        let faults = worker.reset()
        state.withLock { $0.faults += faults }
        if isOver { return }
      } else if let next {
        finish(next.number, next.id, worker.outcome(of: next.wish))
      } else {
        _ = try? Poller.wait([(work.rawValue, .readable)])
      }
    }
  }

  /// Answers a wish, unless somebody has meanwhile.
  private func finish(_ number: Int, _ id: RequestID, _ outcome: Reply.Outcome) {
    state.withLock { state in
      guard state.wishes.first?.number == number else { return }
      state.wishes.removeFirst()
      state.replies.append(Reply(id: id, outcome))
    }
    try? EventCounter.add(to: answers)
  }
}
