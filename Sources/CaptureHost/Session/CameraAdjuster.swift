// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore
internal import Synchronization

/// What an extension asks of the camera itself.
package enum CameraWish: Sendable, Equatable {
  /// What it can be set to.
  case look
  /// To be set like this.
  case set(CameraSettingWish)
}

/// Sets a camera as the extension of a session asks, on a thread of its own: a camera may take seconds for it, in which the
/// session has to go on. The thread is there from the first request on.
///
/// What an extension has set is its own affair: everything is set back when the session ends, or the camera is taken away. That
/// is noted before it is set, for the case that the host is killed.
/// It belongs to the thread that drives the session.
package final class CameraAdjuster {
  /// How many requests wait at once; more are refused, so that nobody fills the host's memory with them.
  package static let mostWaiting = 16

  /// What the two threads share.
  private final class Exchange: Sendable {
    struct State {
      /// What is to be done, in order; the first is being done. Numbered, as an extension may give two the same id.
      var wishes: [(number: Int, id: RequestID, wish: CameraWish)] = []
      /// How many there were.
      var count = 0
      var replies: [Reply] = []
      /// Whether all is to be as it was before the session.
      var isToBeReset = false
      var isOver = false
    }

    let state = Mutex(State())
    /// Readable when something has been done.
    let answers: Descriptor
    /// Readable when there is something to do.
    let work: Descriptor

    init() throws(SystemCallError) {
      answers = try EventCounter.make()
      work = try EventCounter.make()
    }
  }

  /// The camera's, until the thread has them.
  private var settings: (any CameraSettings)?
  private var exchange: Exchange?
  private var thread: PlainThread?

  /// Sets the camera that has these settings; nothing happens before the first wish.
  package init(_ settings: sending any CameraSettings) { self.settings = settings }

  deinit { close() }

  /// Readable when there are answers; nil: nothing was asked yet.
  package var descriptor: Int32? { exchange?.answers.rawValue }

  /// Asks the camera; false: too much is being asked already. `notes` are for whoever recovers the session if the host is
  /// killed; they are those of the first request.
  package func ask(
    _ wish: CameraWish,
    _ id: RequestID,
    noting notes: CameraNotes? = nil
  ) throws(SystemCallError) -> Bool {
    let exchange = try begun(notes)
    let isTaken = exchange.state.withLock { state in
      guard state.wishes.count < Self.mostWaiting else { return false }
      state.count += 1
      state.wishes.append((state.count, id, wish))
      return true
    }
    if isTaken { try? EventCounter.add(to: exchange.work) }
    return isTaken
  }

  /// What has been answered since this was last asked, in order.
  package func takeAnswers() -> [Reply] {
    guard let exchange else { return [] }
    _ = try? EventCounter.take(exchange.answers)
    return exchange.state.withLock { state in
      defer { state.replies = [] }
      return state.replies
    }
  }

  /// The camera was taken away: nothing more of what was asked is done, and what was done is undone.
  package func revoke() {
    guard let exchange else { return }
    exchange.state.withLock { state in
      state.isToBeReset = true
      state.replies += state.wishes.map { Reply(id: $0.id, error: .permissionDenied, Self.takenAway) }
      state.wishes = []
    }
    try? EventCounter.add(to: exchange.answers)
    try? EventCounter.add(to: exchange.work)
  }

  private static let takenAway = "the camera was taken away before this was done"

  /// Sets everything back, and waits until that is done.
  package func close() {
    exchange?.state.withLock { state in
      state.isOver = true
      state.wishes = []
    }
    if let exchange { try? EventCounter.add(to: exchange.work) }
    thread.take()?.join()
  }

  /// The exchange, with its thread.
  private func begun(_ notes: CameraNotes?) throws(SystemCallError) -> Exchange {
    if let exchange { return exchange }
    let exchange = try Exchange()
    // The thread is the only one that looks inside from here on.
    nonisolated(unsafe) let settings = settings
    thread = try PlainThread.start(name: "camera-set") {
      guard let settings else { return }
      var worker = AdjustmentWorker(settings, notes)
      Self.work(exchange, &worker)
    }
    self.settings = nil
    self.exchange = exchange
    return exchange
  }

  /// The thread's side: does what is asked, until all is over.
  private static func work(_ exchange: Exchange, _ worker: inout AdjustmentWorker) {
    while true {
      _ = try? EventCounter.take(exchange.work)
      let (next, isToBeReset, isOver) = exchange.state.withLock { state in
        let isToBeReset = state.isToBeReset
        state.isToBeReset = false
        return (state.wishes.first, isToBeReset, state.isOver)
      }
      if isToBeReset || isOver { worker.reset() }
      if isOver { return }
      if isToBeReset { continue }
      guard let next else {
        _ = try? Poller.wait([(exchange.work.rawValue, .readable)])
        continue
      }
      let outcome = worker.outcome(of: next.wish)
      exchange.state.withLock { state in
        // Whoever has taken the camera away meanwhile has answered.
        guard state.wishes.first?.number == next.number else { return }
        state.wishes.removeFirst()
        state.replies.append(Reply(id: next.id, outcome))
      }
      try? EventCounter.add(to: exchange.answers)
    }
  }
}
