// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

extension AVCaptureDevice {
  /// Locks the device, so that its properties can be set. Setting a property without a lock traps, like
  /// Apple's exception.
  ///
  /// - Throws: ``AVError`` with ``AVError/Code/deviceWasDisconnected`` if the device was removed.
  public func lockForConfiguration() throws {
    guard isConnected else { throw AVError(.deviceWasDisconnected) }
    state.lock()
  }

  /// Undoes ``lockForConfiguration()``.
  public func unlockForConfiguration() { state.unlock() }

  // MARK: Zoom

  /// The magnification, from ``minAvailableVideoZoomFactor`` to ``maxAvailableVideoZoomFactor``.
  ///
  /// It is a setting of the camera, in multiples of the camera's smallest zoom. Setting it requires
  /// ``lockForConfiguration()``; a number outside the range is clamped.
  public var videoZoomFactor: CGFloat {
    get {
      zoom.flatMap { zoom in state.value(.zoom).map { CGFloat($0) / CGFloat(zoom.range.lowerBound) } } ?? 1
    }
    set {
      requireLock("videoZoomFactor")
      guard let zoom, newValue.isFinite else { return }
      let factor = min(max(newValue, minAvailableVideoZoomFactor), maxAvailableVideoZoomFactor)
      state.set(.zoom, to: Int((factor * CGFloat(zoom.range.lowerBound)).rounded()))
    }
  }

  /// The minimum magnification, 1.
  public var minAvailableVideoZoomFactor: CGFloat { 1 }

  /// The maximum magnification; 1 if the camera cannot zoom.
  public var maxAvailableVideoZoomFactor: CGFloat {
    zoom.map { CGFloat($0.range.upperBound) / CGFloat($0.range.lowerBound) } ?? 1
  }

  /// Sets the magnification.
  ///
  /// The camera changes at its own speed.
  ///
  /// - Parameters:
  ///   - factor: The magnification.
  ///   - rate: The speed on Apple's systems; here, the camera determines the speed.
  public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) { videoZoomFactor = factor }

  /// The zoom of the camera, or `nil` if there is none.
  ///
  /// A camera whose smallest zoom is not positive does not report a magnification, so it has none here.
  private var zoom: CameraSetting? { state.setting(.zoom).flatMap { $0.range.lowerBound > 0 ? $0 : nil } }
}
