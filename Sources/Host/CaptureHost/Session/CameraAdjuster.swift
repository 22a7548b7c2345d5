// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives
package import SessionStore

/// A request of an extension about the settings of the camera.
package enum CameraAdjustmentRequest: Sendable, Equatable {
  /// Return all settings with their ranges.
  case readSettings
  /// Change a setting.
  case set(CameraSettingRequest)
}

/// Changes the settings of a camera for the extension of a session.
///
/// Requests are executed on a separate thread, because a camera may take seconds and must not block the
/// session. The thread is started by the first request.
///
/// The original settings are restored when the session ends, or when the camera permission is revoked. They
/// are noted on disk before a change, in case the host is killed.
///
/// The object belongs to the thread that drives the session.
package final class CameraAdjuster {
  /// The time for which the end of a session waits until the settings are restored, in nanoseconds. A slower
  /// camera is restored in the background while the host lives.
  private static let resetTimeout: UInt64 = 10_000_000_000

  /// The settings, until the worker thread owns them.
  private var settings: (any CameraSettings)?
  private var exchange: AdjustmentExchange?
  private var thread: PlainThread?

  /// Creates an adjuster for a camera with these settings, without accessing the camera.
  package init(_ settings: sending any CameraSettings) { self.settings = settings }

  deinit { close() }

  /// Readable when there are replies, or `nil` before the first request.
  package var descriptor: Int32? { exchange?.answers.rawValue }

  /// Submits a request. Returns `false` if too many requests are pending.
  ///
  /// The notes of the first request are used by recovery if the host is killed.
  package func submit(
    _ request: CameraAdjustmentRequest,
    _ id: RequestID,
    noting notes: CameraSettingsBackup? = nil
  ) throws(SystemCallError) -> Bool {
    try startedExchange(notes).enqueue(request, id)
  }

  /// Returns the replies since the last call, in order.
  package func takeAnswers() -> [Reply] { exchange?.takeAnswers() ?? [] }

  /// Returns a message for each setting that could not be restored since the last call.
  package func takeFaults() -> [String] { exchange?.takeFaults() ?? [] }

  /// Cancels the pending requests because the camera was stopped.
  package func cancel() {
    exchange?.cancel(
      .cameraUnavailable,
      "the camera was stopped before the request was executed",
      needsReset: false
    )
  }

  /// Cancels the pending requests and restores the settings, because the permission was revoked.
  package func revoke() {
    exchange?.cancel(
      .permissionDenied,
      "the camera permission was revoked before the request was executed",
      needsReset: true
    )
  }

  /// Restores the settings, waits until that is done, and releases the camera.
  package func close() {
    settings = nil
    guard let exchange, let thread = thread.take() else { return }
    exchange.stop()
    let found = try? Poller.wait(
      [(exchange.ended.rawValue, .readable)],
      until: MonotonicClock.now + Self.resetTimeout
    )
    guard let found, found[0].isEmpty else { return thread.join() }
    exchange.note("restoring the camera settings takes too long; it continues until the host exits")
  }

  /// Returns the exchange, and starts its thread if necessary.
  private func startedExchange(_ notes: CameraSettingsBackup?) throws(SystemCallError) -> AdjustmentExchange {
    if let exchange { return exchange }
    let exchange = try AdjustmentExchange()
    // Safe because only the worker thread accesses the settings from here on.
    nonisolated(unsafe) let settings = settings
    thread = try PlainThread.start(name: "camera-set") {
      if let settings { exchange.work(AdjustmentWorker(settings, notes)) }
    }
    self.settings = nil
    self.exchange = exchange
    return exchange
  }
}
