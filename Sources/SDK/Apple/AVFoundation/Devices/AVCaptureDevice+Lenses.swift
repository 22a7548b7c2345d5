// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

extension AVCaptureDevice {
  /// Whether the camera consists of several cameras, always `false`.
  public var isVirtualDevice: Bool { false }

  /// The cameras of which the camera consists; empty, because no camera consists of several cameras here.
  public var constituentDevices: [AVCaptureDevice] { [] }

  /// The zoom factors at which a camera with several lenses changes the lens; empty, because all cameras have one lens here.
  public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] { [] }

  /// The factor between ``videoZoomFactor`` and the number that the user sees, always 1.
  public var displayVideoZoomFactorMultiplier: CGFloat { 1 }

  /// Whether a change of the zoom continues, always `false`: the camera changes at its own speed.
  public var isRampingVideoZoom: Bool { false }

  /// Has no effect: the zoom of the last ``ramp(toVideoZoomFactor:withRate:)`` is already set.
  public func cancelVideoZoomRamp() { requireLock("videoZoomFactor") }

  /// The camera that the user prefers: the camera of the session, which the host selects. Setting it has no effect.
  public static var userPreferredCamera: AVCaptureDevice? {
    get { systemPreferredCamera }
    set {}
  }
}

extension CGFloat {
  /// Creates a number from an object, as for ``AVCaptureDevice/virtualDeviceSwitchOverVideoZoomFactors``; Foundation for Linux
  /// lacks this initializer.
  public init(truncating number: NSNumber) { self.init(number.doubleValue) }
}
