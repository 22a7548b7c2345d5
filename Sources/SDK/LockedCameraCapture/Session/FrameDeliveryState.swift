// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The state of the delivery of frames.
struct FrameDeliveryState: Sendable {
  /// The frames that are delivered, or `nil` while the camera is stopped.
  var mode: FrameDelivery?
  /// Whether no frame was presented since the camera was started.
  var needsPresentation = false
  /// The number of starts of the camera and of changes of its settings by this process.
  var revision = 0
}

extension SessionRuntime {
  /// The frames that are delivered, or `nil` while the camera is stopped.
  nonisolated var delivery: FrameDelivery? { frameDelivery.withLock(\.mode) }

  /// Records that the camera delivers frames from now on.
  nonisolated func cameraStarted(_ delivery: FrameDelivery) {
    frameDelivery.withLock { state in
      state = FrameDeliveryState(mode: delivery, needsPresentation: true, revision: state.revision + 1)
    }
  }

  /// Records that this process has changed a setting of the camera.
  nonisolated func cameraSettingChanged() { frameDelivery.withLock { $0.revision += 1 } }

  /// Records that the camera delivers no more frames.
  nonisolated func cameraStopped() { frameDelivery.withLock { $0.mode = nil } }

  /// Returns whether a frame is the first one that is presented since the camera was started, and records its
  /// presentation.
  func isFirstPresentation() -> Bool {
    frameDelivery.withLock { state in
      defer { state.needsPresentation = false }
      return state.needsPresentation
    }
  }
}
