// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import Foundation
public import LockedCameraCapture

extension AVCaptureDevice {
  /// The mode of the focus.
  public enum FocusMode: Int, Sendable {
    /// The focus does not change.
    case locked = 0
    /// The camera focuses once; no camera has this mode here.
    case autoFocus = 1
    /// The camera focuses continuously.
    case continuousAutoFocus = 2
  }

  /// Returns whether the camera has a mode of the focus.
  public func isFocusModeSupported(_ focusMode: FocusMode) -> Bool {
    switch focusMode {
    case .locked: state.setting(.focus) != nil || state.setting(.automaticFocus) != nil
    case .autoFocus: false
    case .continuousAutoFocus: state.setting(.automaticFocus) != nil
    }
  }

  /// The mode of the focus. Setting it requires ``lockForConfiguration()``; a mode that the camera lacks has no
  /// effect.
  public var focusMode: FocusMode {
    get { state.value(.automaticFocus) == 1 ? .continuousAutoFocus : .locked }
    set {
      requireLock("focusMode")
      guard isFocusModeSupported(newValue) else { return }
      state.set(.automaticFocus, to: newValue == .locked ? 0 : 1)
    }
  }

  /// Whether the camera can focus on a point; no camera can here.
  public var isFocusPointOfInterestSupported: Bool { false }

  /// The point for the focus, always the center; setting it has no effect.
  public var focusPointOfInterest: CGPoint {
    get { CGPoint(x: 0.5, y: 0.5) }
    set { requireLock("focusPointOfInterest") }
  }

  /// Whether the focus can be set with ``setFocusModeLocked(lensPosition:completionHandler:)``.
  public var isLockingFocusWithCustomLensPositionSupported: Bool { state.setting(.focus) != nil }

  /// The focus, from 0 to 1 in the range of the camera; 1 if the camera does not report it.
  public var lensPosition: Float {
    guard let focus = state.setting(.focus), let value = state.value(.focus) else { return 1 }
    return focus.fraction(of: value) ?? 1
  }

  /// Locks the focus at a position; requires ``lockForConfiguration()``.
  ///
  /// - Parameters:
  ///   - lensPosition: The focus, from 0 to 1 in the range of the camera.
  ///   - handler: A closure that is called on the main queue when the host has the setting.
  public func setFocusModeLocked(
    lensPosition: Float,
    completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
  ) {
    requireLock("lensPosition")
    if let focus = state.setting(.focus), lensPosition.isFinite {
      state.set(.automaticFocus, to: 0)
      state.set(.focus, to: focus.value(at: lensPosition))
    }
    complete(handler)
  }

  /// The mode of the white balance.
  public enum WhiteBalanceMode: Int, Sendable {
    /// The white balance does not change.
    case locked = 0
    /// The camera adjusts once; no camera has this mode here.
    case autoWhiteBalance = 1
    /// The camera adjusts continuously.
    case continuousAutoWhiteBalance = 2
  }

  /// Returns whether the camera has a mode of the white balance.
  public func isWhiteBalanceModeSupported(_ whiteBalanceMode: WhiteBalanceMode) -> Bool {
    whiteBalanceMode != .autoWhiteBalance && state.setting(.automaticWhiteBalance) != nil
  }

  /// The mode of the white balance. Setting it requires ``lockForConfiguration()``; a mode that the camera lacks
  /// has no effect.
  public var whiteBalanceMode: WhiteBalanceMode {
    get { state.value(.automaticWhiteBalance) == 1 ? .continuousAutoWhiteBalance : .locked }
    set {
      requireLock("whiteBalanceMode")
      guard isWhiteBalanceModeSupported(newValue) else { return }
      state.set(.automaticWhiteBalance, to: newValue == .locked ? 0 : 1)
    }
  }

  /// Calls a handler on the main queue, after the settings before it, with the current time.
  func complete(_ handler: (@Sendable (CMTime) -> Void)?) {
    guard let handler else { return }
    DispatchQueue.main.async {
      handler(CMTime(value: Int64(clamping: DispatchTime.now().uptimeNanoseconds), timescale: 1_000_000_000))
    }
  }
}
