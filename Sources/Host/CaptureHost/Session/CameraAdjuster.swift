// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

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
  /// How long the end of a session waits for a camera to be set back, in nanoseconds; one that takes longer is set back as long
  /// as the host lives.
  private static let patience: UInt64 = 10_000_000_000

  /// The camera's, until the thread has them.
  private var settings: (any CameraSettings)?
  private var exchange: AdjustmentExchange?
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
    try begun(notes).take(wish, id)
  }

  /// What has been answered since this was last asked, in order.
  package func takeAnswers() -> [Reply] { exchange?.takeAnswers() ?? [] }

  /// What could not be set back since this was last asked, in sentences.
  package func takeFaults() -> [String] { exchange?.takeFaults() ?? [] }

  /// The camera does not run any more: nothing of what waits is done.
  package func cancel() {
    exchange?.cancel(.cameraUnavailable, "the camera was stopped before this was done", isToBeReset: false)
  }

  /// The camera was taken away: nothing of what waits is done, and what was done is undone.
  package func revoke() {
    exchange?.cancel(.permissionDenied, "the camera was taken away before this was done", isToBeReset: true)
  }

  /// Sets everything back, waits until that is done, and lets go of the camera.
  package func close() {
    settings = nil
    guard let exchange, let thread = thread.take() else { return }
    exchange.stop()
    let found = try? Poller.wait(
      [(exchange.ended.rawValue, .readable)],
      until: MonotonicClock.now + Self.patience
    )
    guard let found, found[0].isEmpty else { return thread.join() }
    exchange.note("the camera takes too long to be set back; it goes on as long as the host lives")
  }

  /// The exchange, with its thread.
  private func begun(_ notes: CameraNotes?) throws(SystemCallError) -> AdjustmentExchange {
    if let exchange { return exchange }
    let exchange = try AdjustmentExchange()
    // The thread is the only one that looks inside from here on.
    nonisolated(unsafe) let settings = settings
    thread = try PlainThread.start(name: "camera-set") {
      if let settings { exchange.work(AdjustmentWorker(settings, notes)) }
    }
    self.settings = nil
    self.exchange = exchange
    return exchange
  }
}
