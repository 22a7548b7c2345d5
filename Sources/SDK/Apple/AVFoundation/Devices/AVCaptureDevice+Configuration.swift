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

  // MARK: Lights

  /// Whether the device has a torch; no camera has one here.
  public var hasTorch: Bool { false }

  /// Whether the torch can be used now; no camera has a torch here.
  public var isTorchAvailable: Bool { false }

  /// Whether the device has a flash; no camera has one here.
  public var hasFlash: Bool { false }

  /// Whether the flash can be used now; no camera has a flash here.
  public var isFlashAvailable: Bool { false }

  /// The mode of the torch.
  public enum TorchMode: Int, Sendable {
    /// The torch is off.
    case off = 0
    /// The torch is on.
    case on = 1
    /// The camera decides.
    case auto = 2
  }

  /// The mode of the flash.
  public enum FlashMode: Int, Sendable {
    /// The flash is off.
    case off = 0
    /// The flash is on.
    case on = 1
    /// The camera decides.
    case auto = 2
  }

  /// The mode of the torch, always ``TorchMode/off``; setting it has no effect.
  public var torchMode: TorchMode {
    get { .off }
    set { requireLock("torchMode") }
  }

  /// Returns whether the torch has a mode: only ``TorchMode/off``.
  public func isTorchModeSupported(_ torchMode: TorchMode) -> Bool { torchMode == .off }

  /// The maximum brightness of a torch, 1.
  public static let maxAvailableTorchLevel: Float = 1

  /// Always fails, because no camera has a torch here.
  ///
  /// - Parameter torchLevel: The brightness, from 0 to 1.
  /// - Throws: ``AVError`` with ``AVError/Code/deviceNotConnected``.
  public func setTorchModeOn(level torchLevel: Float) throws {
    throw AVError(.deviceNotConnected, "the camera has no torch; check hasTorch first")
  }
}
