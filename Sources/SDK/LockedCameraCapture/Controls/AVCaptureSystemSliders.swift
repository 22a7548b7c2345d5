// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import ExtensionProtocol

/// A control for the zoom of a camera; Apple's class. The module `AVFoundation` has its initializers.
public final class AVCaptureSystemZoomSlider: AVCaptureControl, @unchecked Sendable {
  /// Creates a slider for the magnifications of a camera.
  ///
  /// - Parameters:
  ///   - range: The magnifications. A slider for one magnification is disabled.
  ///   - value: The current magnification, in the range.
  ///   - action: A closure that is called on the main queue with each magnification that the user selects.
  package init(in range: ClosedRange<Float>, value: Float, action: @escaping (Float) -> Void) {
    super.init("Zoom", "plus.magnifyingglass", .system(range, format: "%@×"), value: Double(value))
    isEnabled = range.lowerBound < range.upperBound
    setAction(ControlAction(.main) { action(Float($0)) })
  }
}

/// A control for the exposure compensation of a camera; Apple's class. The module `AVFoundation` has its
/// initializers.
public final class AVCaptureSystemExposureBiasSlider: AVCaptureControl, @unchecked Sendable {
  /// Creates a slider for the exposure compensation of a camera.
  ///
  /// - Parameters:
  ///   - range: The compensations in EV. A slider for one compensation is disabled.
  ///   - value: The current compensation, in the range.
  ///   - action: A closure that is called on the main queue with each compensation that the user selects.
  package init(in range: ClosedRange<Float>, value: Float, action: @escaping (Float) -> Void) {
    super.init("Exposure", "plusminus.circle", .system(range, format: "%@ EV"), value: Double(value))
    isEnabled = range.lowerBound < range.upperBound
    setAction(ControlAction(.main) { action(Float($0)) })
  }
}

extension CameraControl.Choices {
  /// Returns the choices of a slider for a range, or for one number if the bounds are equal.
  fileprivate static func system(_ range: ClosedRange<Float>, format: String) -> CameraControl.Choices {
    let (lower, upper) = (Double(range.lowerBound), Double(range.upperBound))
    return .slider(
      SliderScale(
        lower < upper ? .range(lower: lower, upper: upper, step: nil) : .values([lower]),
        format: format
      )
    )
  }
}
