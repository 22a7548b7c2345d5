// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
internal import Foundation
public import LockedCameraCapture

extension AVCaptureDevice {
  /// The factors of the colors of a sensor; Apple's name and members.
  public struct WhiteBalanceGains: Hashable, Sendable {
    /// The factor of red.
    public var redGain: Float
    /// The factor of green.
    public var greenGain: Float
    /// The factor of blue.
    public var blueGain: Float

    /// Creates factors.
    public init(redGain: Float, greenGain: Float, blueGain: Float) {
      (self.redGain, self.greenGain, self.blueGain) = (redGain, greenGain, blueGain)
    }
  }

  /// A color of light; Apple's name and members.
  public struct WhiteBalanceTemperatureAndTintValues: Hashable, Sendable {
    /// The temperature of a black body with the color, in kelvins.
    public var temperature: Float
    /// The shift to green or magenta. No camera has a setting for it here.
    public var tint: Float

    /// Creates a color.
    public init(temperature: Float, tint: Float) { (self.temperature, self.tint) = (temperature, tint) }
  }

  /// The factors that leave the white balance as it is.
  public static let currentWhiteBalanceGains = WhiteBalanceGains(redGain: -1, greenGain: -1, blueGain: -1)

  /// Whether the white balance can be set with ``setWhiteBalanceModeLocked(with:completionHandler:)``.
  public var isLockingWhiteBalanceWithCustomDeviceGainsSupported: Bool { state.setting(.whiteBalance) != nil }

  /// The maximum of a factor.
  public var maxWhiteBalanceGain: Float { 4 }

  /// The factors for the color of light that is white now; equal factors if the camera does not report it.
  public var deviceWhiteBalanceGains: WhiteBalanceGains {
    deviceWhiteBalanceGains(
      for: WhiteBalanceTemperatureAndTintValues(
        temperature: Float(state.value(.whiteBalance) ?? Int(ColorOfLight.neutral)),
        tint: 0
      )
    )
  }

  /// Returns the factors for which light of a color is white. The tint makes no difference.
  public func deviceWhiteBalanceGains(
    for tempAndTintValues: WhiteBalanceTemperatureAndTintValues
  ) -> WhiteBalanceGains {
    let gains = ColorOfLight.gains(Double(tempAndTintValues.temperature))
    return WhiteBalanceGains(redGain: Float(gains.x), greenGain: Float(gains.y), blueGain: Float(gains.z))
  }

  /// Returns the color of light that is white for some factors; the tint is 0.
  public func temperatureAndTintValues(for whiteBalanceGains: WhiteBalanceGains)
    -> WhiteBalanceTemperatureAndTintValues
  {
    let ratio = Double(whiteBalanceGains.redGain / whiteBalanceGains.blueGain)
    return WhiteBalanceTemperatureAndTintValues(temperature: Float(ColorOfLight.temperature(ratio)), tint: 0)
  }

  /// Sets the temperature of the camera for some factors, and ends the automatic white balance; requires
  /// ``lockForConfiguration()``.
  ///
  /// - Parameters:
  ///   - whiteBalanceGains: The factors, of which the ratio of red to blue determines the temperature.
  ///   - handler: A closure that is called on the main queue when the host has the setting.
  public func setWhiteBalanceModeLocked(
    with whiteBalanceGains: WhiteBalanceGains,
    completionHandler handler: (@Sendable (CMTime) -> Void)? = nil
  ) {
    requireLock("whiteBalanceGains")
    let temperature = temperatureAndTintValues(for: whiteBalanceGains).temperature
    if state.setting(.whiteBalance) != nil {
      state.set(.automaticWhiteBalance, to: 0)
      if whiteBalanceGains != Self.currentWhiteBalanceGains, temperature.isFinite {
        state.set(.whiteBalance, to: Int(temperature.rounded()))
      }
    }
    complete(handler)
  }
}

/// The factors of the colors for the light of black bodies, by Wien's law.
private enum ColorOfLight {
  /// The temperature in kelvins for which the factors are equal.
  static let neutral = 6500.0
  /// Planck's second constant in meters and kelvins, divided by the wavelengths of red, green and blue.
  private static let constants = 0.014_387_77 / SIMD3(600e-9, 540e-9, 450e-9)

  /// Returns factors of at least 1.
  static func gains(_ temperature: Double) -> SIMD3<Double> {
    let difference = 1 / min(max(temperature, 1000), 40_000) - 1 / neutral
    let gains = SIMD3(
      exp(constants.x * difference),
      exp(constants.y * difference),
      exp(constants.z * difference)
    )
    return gains / gains.min()
  }

  /// Returns the temperature for a ratio of the factor of red to that of blue, from 1000 to 40,000 kelvins.
  static func temperature(_ ratio: Double) -> Double {
    let inverse = log(max(ratio, 1e-6)) / (constants.x - constants.z) + 1 / neutral
    return 1 / min(max(inverse, 1 / 40_000.0), 1 / 1000.0)
  }
}
