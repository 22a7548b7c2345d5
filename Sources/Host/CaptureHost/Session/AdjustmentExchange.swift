// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The state that is shared by the thread that drives a session and the thread that sets its camera.
final class AdjustmentExchange: Sendable {
  /// The maximum number of pending requests. Further requests are refused, which bounds the memory of the
  /// host.
  static let maximumWaiting = 16

  /// The state under the lock.
  private struct State {
    /// The pending requests in order; the first is being executed. They are numbered because an extension may
    /// use a request ID twice.
    var requests: [(number: Int, id: RequestID, request: CameraAdjustmentRequest)] = []
    /// The number of requests so far.
    var count = 0
    /// The replies that have not been sent.
    var replies: [Reply] = []
    /// The settings that could not be restored.
    var faults: [String] = []
    /// Whether the original settings are to be restored.
    var needsReset = false
    /// Whether no further request is executed.
    var isOver = false
  }

  /// Readable when there are replies.
  let answers: Descriptor
  /// Readable when the worker thread has finished.
  let ended: Descriptor
  /// Readable when there is work for the worker thread.
  private let work: Descriptor
  private let state = Mutex(State())

  /// Creates an exchange without requests.
  init() throws(SystemCallError) {
    answers = try EventCounter.make()
    ended = try EventCounter.make()
    work = try EventCounter.make()
  }
}

// MARK: - On the thread that drives the session

extension AdjustmentExchange {
  /// Adds a request to the queue. Returns `false` if the queue is full.
  func enqueue(_ request: CameraAdjustmentRequest, _ id: RequestID) -> Bool {
    let isTaken = state.withLock { state in
      guard state.requests.count < Self.maximumWaiting else { return false }
      state.count += 1
      state.requests.append((state.count, id, request))
      return true
    }
    if isTaken { try? EventCounter.add(to: work) }
    return isTaken
  }

  /// Returns the replies since the last call, in order.
  func takeAnswers() -> [Reply] {
    _ = try? EventCounter.take(answers)
    return state.withLock { state in
      defer { state.replies = [] }
      return state.replies
    }
  }

  /// Returns the settings that could not be restored since the last call.
  func takeFaults() -> [String] {
    state.withLock { state in
      defer { state.faults = [] }
      return state.faults
    }
  }

  /// Records a fault.
  func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  /// Answers the pending requests with an error. Requests that have not started are not executed.
  func cancel(_ code: ProtocolErrorCode, _ sentence: String, needsReset: Bool) {
    state.withLock { state in
      state.needsReset = state.needsReset || needsReset
      state.replies += state.requests.map { Reply(id: $0.id, error: code, sentence) }
      state.requests = []
    }
    try? EventCounter.add(to: answers)
    try? EventCounter.add(to: work)
  }

  /// Stops the worker, which restores the original settings.
  func stop() {
    state.withLock { state in
      state.isOver = true
      state.requests = []
    }
    try? EventCounter.add(to: work)
  }
}

// MARK: - On the thread that sets the camera

extension AdjustmentExchange {
  /// Executes requests until the exchange is stopped.
  func work(_ worker: consuming AdjustmentWorker) {
    defer { try? EventCounter.add(to: ended) }
    while true {
      _ = try? EventCounter.take(work)
      let (next, needsReset, isOver) = state.withLock { state in
        defer { state.needsReset = false }
        return (state.requests.first, state.needsReset, state.isOver)
      }
      if needsReset || isOver {
        let faults = worker.reset()
        state.withLock { $0.faults += faults }
        if isOver { return }
      } else if let next {
        finish(next.number, next.id, worker.outcome(of: next.request))
      } else {
        _ = try? Poller.wait([(work.rawValue, .readable)])
      }
    }
  }

  /// Adds the reply of a request, unless the request was cancelled meanwhile.
  private func finish(_ number: Int, _ id: RequestID, _ outcome: Reply.Outcome) {
    state.withLock { state in
      guard state.requests.first?.number == number else { return }
      state.requests.removeFirst()
      state.replies.append(Reply(id: id, outcome))
    }
    try? EventCounter.add(to: answers)
  }
}
