// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
internal import Foundation
public import LockedCameraCapture

extension AVCaptureDevice {
  /// The gain of the camera in its own units, in place of the ISO speed, which no camera reports; 0 if the camera has no such
  /// setting.
  public var iso: Float { Float(state.value(.gain) ?? 0) }

  /// The difference between the measured exposure and that of the settings, always 0: no camera reports it.
  public var exposureTargetOffset: Float { 0 }

  /// The gain that leaves the gain as it is.
  public static let currentISO = -Float.greatestFiniteMagnitude

  /// The exposure time that leaves the exposure time as it is.
  public static let currentExposureDuration = CMTime.invalid

  /// Sets the exposure time and the gain, and ends the automatic exposure; requires ``lockForConfiguration()``.
  ///
  /// - Parameters:
  ///   - duration: The exposure time, or ``currentExposureDuration``. A time outside the range of the camera is clamped.
  ///   - gain: The gain in units of the camera, or ``currentISO``. A gain outside the range of the camera is clamped.
  ///   - handler: A closure that is called on the main queue when the host has the settings.
  public func setExposureModeCustom(
    duration: CMTime,
    iso gain: Float,
    completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
  ) {
    requireLock("exposureDuration")
    if state.setting(.exposure) != nil {
      state.set(.automaticExposure, to: 0)
      let units = (duration.seconds * 10_000).rounded()
      if units.isFinite { state.set(.exposure, to: Int(min(max(units, 1), 1e9))) }
    }
    if gain != Self.currentISO, gain.isFinite, state.setting(.gain) != nil {
      state.set(.automaticGain, to: 0)
      state.set(.gain, to: Int(min(max(gain.rounded(), -1e9), 1e9)))
    }
    complete(handler)
  }

  /// The setting of the session's camera with a name, or `nil` if there is none.
  fileprivate static func setting(_ name: CameraSetting.Name) -> CameraSetting? {
    `default`(for: .video)?.state.setting(name)
  }
}

extension AVCaptureDevice.Format {
  /// The minimum gain of the camera in its own units; 0 if the camera has no such setting.
  public var minISO: Float { Float(setting(.gain)?.range.lowerBound ?? 0) }

  /// The maximum gain of the camera in its own units; 0 if the camera has no such setting.
  public var maxISO: Float { Float(setting(.gain)?.range.upperBound ?? 0) }

  /// The minimum exposure time, or an invalid time if the camera has no such setting.
  public var minExposureDuration: CMTime { duration(setting(.exposure)?.range.lowerBound) }

  /// The maximum exposure time, or an invalid time if the camera has no such setting.
  public var maxExposureDuration: CMTime { duration(setting(.exposure)?.range.upperBound) }

  private func setting(_ name: CameraSetting.Name) -> CameraSetting? {
    mediaType == .video ? AVCaptureDevice.setting(name) : nil
  }

  private func duration(_ units: Int?) -> CMTime {
    units.map { CMTime(value: Int64($0), timescale: 10_000) } ?? .invalid
  }
}
