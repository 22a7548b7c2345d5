// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import Foundation
public import LockedCameraCapture

extension AVCaptureDevice {
  /// The mode of the exposure.
  public enum ExposureMode: Int, Sendable {
    /// The exposure does not change.
    case locked = 0
    /// The camera adjusts once; no camera has this mode here.
    case autoExpose = 1
    /// The camera adjusts continuously.
    case continuousAutoExposure = 2
    /// The app sets the exposure.
    case custom = 3
  }

  /// Returns whether the camera has a mode of the exposure.
  public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
    switch exposureMode {
    case .locked, .continuousAutoExposure: state.setting(.automaticExposure) != nil
    case .custom: state.setting(.exposure) != nil
    case .autoExpose: false
    }
  }

  /// The mode of the exposure. Setting it requires ``lockForConfiguration()``; a mode that the camera lacks has
  /// no effect.
  public var exposureMode: ExposureMode {
    get { state.value(.automaticExposure) == 1 ? .continuousAutoExposure : .locked }
    set {
      requireLock("exposureMode")
      guard isExposureModeSupported(newValue) else { return }
      state.set(.automaticExposure, to: newValue == .continuousAutoExposure ? 1 : 0)
    }
  }

  /// The exposure time, or an invalid time if the camera does not report it.
  public var exposureDuration: CMTime {
    state.value(.exposure).map { CMTime(value: Int64($0), timescale: 10_000) } ?? .invalid
  }

  /// Whether the camera can measure the exposure at a point; no camera can here.
  public var isExposurePointOfInterestSupported: Bool { false }

  /// The point for the exposure, always the center; setting it has no effect.
  public var exposurePointOfInterest: CGPoint {
    get { CGPoint(x: 0.5, y: 0.5) }
    set { requireLock("exposurePointOfInterest") }
  }

  /// The exposure compensation, in exposure values (EV); 0 if the camera has none.
  public var exposureTargetBias: Float { Float(state.value(.exposureBias) ?? 0) / 1000 }

  /// The minimum exposure compensation, in EV; 0 if the camera has none.
  public var minExposureTargetBias: Float {
    Float(state.setting(.exposureBias)?.range.lowerBound ?? 0) / 1000
  }

  /// The maximum exposure compensation, in EV; 0 if the camera has none.
  public var maxExposureTargetBias: Float {
    Float(state.setting(.exposureBias)?.range.upperBound ?? 0) / 1000
  }

  /// Sets the exposure compensation; requires ``lockForConfiguration()``.
  ///
  /// - Parameters:
  ///   - bias: The compensation in EV; a number outside the range is clamped.
  ///   - handler: A closure that is called on the main queue when the host has the setting.
  public func setExposureTargetBias(
    _ bias: Float,
    completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
  ) {
    requireLock("exposureTargetBias")
    if bias.isFinite {
      let clamped = min(max(bias, minExposureTargetBias), maxExposureTargetBias)
      state.set(.exposureBias, to: Int((clamped * 1000).rounded()))
    }
    complete(handler)
  }

  /// Whether notifications report changes of the subject; no camera detects them, so setting it has no effect.
  public var isSubjectAreaChangeMonitoringEnabled: Bool {
    get { false }
    set { requireLock("isSubjectAreaChangeMonitoringEnabled") }
  }
}
