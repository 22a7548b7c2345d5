// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

extension AVCaptureSystemZoomSlider {
  /// Creates a slider that sets the zoom of a camera; it is disabled if the camera cannot zoom.
  public convenience init(device: AVCaptureDevice) { self.init(device: device) { _ in } }

  /// Creates a slider that sets the zoom of a camera; it is disabled if the camera cannot zoom.
  ///
  /// - Parameters:
  ///   - device: The camera.
  ///   - action: A closure that is called after the user has changed the zoom, with the magnification.
  public convenience init(device: AVCaptureDevice, action: @escaping @MainActor (CGFloat) -> Void) {
    let range = Float(device.minAvailableVideoZoomFactor)...Float(device.maxAvailableVideoZoomFactor)
    self.init(in: range, value: range.clamp(Float(device.videoZoomFactor))) { factor in
      device.whileLocked { device.videoZoomFactor = CGFloat(factor) }
      MainActor.assumeIsolated { action(CGFloat(factor)) }
    }
  }
}

extension AVCaptureSystemExposureBiasSlider {
  /// Creates a slider that sets the exposure compensation of a camera; it is disabled if the camera has none.
  public convenience init(device: AVCaptureDevice) { self.init(device: device) { _ in } }

  /// Creates a slider that sets the exposure compensation of a camera; it is disabled if the camera has none.
  ///
  /// - Parameters:
  ///   - device: The camera.
  ///   - action: A closure that is called after the user has changed the compensation, in EV.
  public convenience init(device: AVCaptureDevice, action: @escaping @MainActor (Float) -> Void) {
    let range = device.minExposureTargetBias...device.maxExposureTargetBias
    self.init(in: range, value: range.clamp(device.exposureTargetBias)) { bias in
      device.whileLocked { device.setExposureTargetBias(bias) }
      MainActor.assumeIsolated { action(bias) }
    }
  }
}

extension AVCaptureDevice {
  /// Changes settings during a lock of the device.
  fileprivate func whileLocked(_ body: () -> Void) {
    state.lock()
    body()
    state.unlock()
  }
}

extension ClosedRange<Float> {
  /// Returns the number of the range that is nearest to a number.
  fileprivate func clamp(_ number: Float) -> Float { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
