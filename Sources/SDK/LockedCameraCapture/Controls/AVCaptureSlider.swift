// SPDX-License-Identifier: Apache-2.0

public import Dispatch
internal import ExtensionProtocol

/// A control for a number: of a range, with or without steps, or one of several; Apple's class.
public final class AVCaptureSlider: AVCaptureControl, @unchecked Sendable {
  /// Makes a slider for any number of a range, which begins with the smallest.
  ///
  /// - Parameters:
  ///   - localizedTitle: What people call it, in at most 128 bytes.
  ///   - symbolName: The name of its picture; a host without pictures does not show it.
  ///   - range: The numbers; the upper end has to be more than the lower one.
  public convenience init(_ localizedTitle: String, symbolName: String, in range: ClosedRange<Float>) {
    self.init(localizedTitle, symbolName, range, step: nil)
  }

  /// Makes a slider for every so manieth number of a range, which begins with the smallest.
  ///
  /// - Parameters:
  ///   - localizedTitle: What people call it, in at most 128 bytes.
  ///   - symbolName: The name of its picture; a host without pictures does not show it.
  ///   - range: The numbers; the upper end has to be more than the lower one.
  ///   - step: From one number to the next; more than 0, and not more than the range.
  public convenience init(
    _ localizedTitle: String,
    symbolName: String,
    in range: ClosedRange<Float>,
    step: Float
  ) {
    self.init(localizedTitle, symbolName, range, step: step)
  }

  /// Makes a slider for certain numbers, which begins with the smallest.
  ///
  /// - Parameters:
  ///   - localizedTitle: What people call it, in at most 128 bytes.
  ///   - symbolName: The name of its picture; a host without pictures does not show it.
  ///   - values: The numbers in any order, 1 to 256.
  public init(_ localizedTitle: String, symbolName: String, values: [Float]) {
    let values = Set(values).sorted().map(Self.wide)
    super.init(
      localizedTitle,
      symbolName,
      Self.checked(SliderScale(.values(values)), values.first ?? 0),
      value: values.first ?? 0
    )
  }

  private init(_ title: String, _ symbol: String, _ range: ClosedRange<Float>, step: Float?) {
    let lower = Self.wide(range.lowerBound)
    let places = SliderScale.Places.range(
      lower: lower,
      upper: Self.wide(range.upperBound),
      step: step.map(Self.wide)
    )
    super.init(title, symbol, Self.checked(SliderScale(places), lower), value: lower)
  }

  /// What people call it.
  public var localizedTitle: String { title }

  /// The name of its picture.
  public var symbolName: String { picture }

  /// The number that the slider is at; setting it moves the slider, and calls no action.
  ///
  /// It has to be one that the slider has.
  public var value: Float {
    get { Float(rawValue) }
    set { rawValue = Self.wide(newValue) }
  }

  /// How the number is shown, with `%@` once in its place, such as `%@ mm`; nil: alone.
  public var localizedValueFormat: String? {
    get { scale.format }
    set { scale.format = newValue }
  }

  /// Numbers that are easier to find than others; they have to be numbers of the slider.
  public var prominentValues: [Float] {
    get { scale.prominent.map(Float.init) }
    set {
      var new = scale
      new.prominent = newValue.map(Self.wide)
      for value in new.prominent {
        precondition(new.allows(value), "\(value) is no number of the slider \"\(title)\"; leave it out")
      }
      scale = new
    }
  }

  /// What tests and scripts call it; nil: as its title.
  public var accessibilityIdentifier: String? {
    get { identifier }
    set { identifier = newValue }
  }

  /// Calls `action` in `actionQueue` with the number that the person has moved the slider to.
  ///
  /// The queue is a serial one; with the main queue it is the main thread.
  public func setActionQueue(_ actionQueue: DispatchQueue, action: @escaping (Float) -> Void) {
    setAction(ControlAction(actionQueue) { action(Float($0)) })
  }

  /// The numbers of the slider.
  private var scale: SliderScale {
    get {
      guard case .slider(let scale) = choices else { preconditionFailure("a slider has a scale") }
      return scale
    }
    set { choices = .slider(newValue) }
  }

  /// A scale that makes sense; one that does not is a mistake in the program, which ends, as with Apple's exception.
  private static func checked(_ scale: SliderScale, _ value: Double) -> CameraControl.Choices {
    let control = CameraControl(id: "slider", title: "slider", symbol: "", .slider(scale), value: value)
    do throws(CameraControlFault) { try control.validate() } catch {
      preconditionFailure("a slider cannot be made: \(error)")
    }
    return control.choices
  }

  /// The number that people would write for it: 0.1, and not 0.10000000149011612.
  private static func wide(_ number: Float) -> Double { Double("\(number)") ?? Double(number) }
}
