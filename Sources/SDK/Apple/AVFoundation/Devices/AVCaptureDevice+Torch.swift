// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

// The light of a camera, which is the torch, and also the flash of photos.
extension AVCaptureDevice {
  /// The mode of the torch.
  public enum TorchMode: Int, Sendable {
    /// The torch is off.
    case off = 0
    /// The torch is on.
    case on = 1
    /// The camera decides; no camera has this mode here.
    case auto = 2
  }

  /// The mode of the flash.
  public enum FlashMode: Int, Sendable {
    /// The flash is off.
    case off = 0
    /// The flash is on.
    case on = 1
    /// The camera decides; no camera has this mode here.
    case auto = 2
  }

  /// Whether the device has a torch.
  public var hasTorch: Bool { state.setting(.torch) != nil }

  /// Whether the torch can be used now: the driver permits its mode to be set.
  public var isTorchAvailable: Bool { state.setting(.torch)?.isAdjustable == true }

  /// Whether the device has a flash, which is its torch.
  public var hasFlash: Bool { hasTorch }

  /// Whether the flash can be used now.
  public var isFlashAvailable: Bool { isTorchAvailable }

  /// Whether the torch is lit.
  public var isTorchActive: Bool { state.value(.torch) == 1 }

  /// The mode of the torch. Setting it requires ``lockForConfiguration()``; a mode that the camera lacks has no effect.
  ///
  /// The torch keeps its brightness. It can be lit only while the camera runs, and is turned off when the capture session
  /// stops.
  public var torchMode: TorchMode {
    get { isTorchActive ? .on : .off }
    set {
      requireLock("torchMode")
      guard isTorchModeSupported(newValue) else { return }
      state.set(.torch, to: newValue == .on ? 1 : 0)
    }
  }

  /// Returns whether the torch has a mode: ``TorchMode/off``, and ``TorchMode/on`` if there is a torch.
  public func isTorchModeSupported(_ torchMode: TorchMode) -> Bool {
    switch torchMode {
    case .off: true
    case .on: hasTorch
    case .auto: false
    }
  }

  /// The brightness of the torch, from 0 to 1 in the range of the camera; 0 if the torch is off.
  public var torchLevel: Float {
    guard isTorchActive else { return 0 }
    guard let level = state.setting(.torchLevel), let value = state.value(.torchLevel) else { return 1 }
    return level.fraction(of: value) ?? 1
  }

  /// The maximum brightness of a torch, 1.
  public static let maxAvailableTorchLevel: Float = 1

  /// Lights the torch, and waits for the camera; requires ``lockForConfiguration()``.
  ///
  /// A camera whose torch has one brightness ignores the level. A level outside the range is a programming error and traps,
  /// like Apple's exception.
  ///
  /// - Parameter torchLevel: The brightness, greater than 0 and at most 1.
  /// - Throws: ``AVError``: `deviceNotConnected` if the camera has no torch, `torchLevelUnavailable` if the camera refuses the
  ///   brightness, for example because the light is too hot.
  public func setTorchModeOn(level torchLevel: Float) throws {
    guard hasTorch else {
      throw AVError(.deviceNotConnected, "the camera has no torch; check hasTorch first")
    }
    requireLock("torchMode")
    precondition(
      torchLevel > 0 && torchLevel <= 1,
      "the torch level \(torchLevel) is outside the range from 0 to 1"
    )
    do {
      if let level = state.setting(.torchLevel) {
        try state.setNow(.torchLevel, to: level.value(at: torchLevel))
      }
      try state.setNow(.torch, to: 1)
    } catch let error as LockedCameraCaptureError where error.code == .invalidSetting {
      throw AVError(.torchLevelUnavailable, "\(error)")
    } catch { throw AVError(error) }
  }
}

extension CameraSetting {
  /// Returns the position of a value in the range, from 0 to 1, or `nil` if the range has one value.
  func fraction(of value: Int) -> Float? {
    let length = range.upperBound - range.lowerBound
    return length == 0 ? nil : Float(value - range.lowerBound) / Float(length)
  }

  /// Returns the value at a position in the range, from 0 to 1; other positions are clamped.
  func value(at fraction: Float) -> Int {
    let length = Float(range.upperBound - range.lowerBound)
    return range.lowerBound + Int((min(max(fraction, 0), 1) * length).rounded())
  }
}
