// SPDX-License-Identifier: Apache-2.0

public import Dispatch
internal import ExtensionProtocol

/// A control for a number: any number of a range, a multiple of a step, or one of several values; Apple's
/// class.
public final class AVCaptureSlider: AVCaptureControl, @unchecked Sendable {
  /// Creates a slider for any number of a range; its initial value is the lower bound.
  ///
  /// - Parameters:
  ///   - localizedTitle: The title, at most 128 bytes.
  ///   - symbolName: The name of the symbol; a host without symbols ignores it.
  ///   - range: The numbers; the upper bound must be greater than the lower bound.
  public convenience init(_ localizedTitle: String, symbolName: String, in range: ClosedRange<Float>) {
    self.init(localizedTitle, symbolName, range, step: nil)
  }

  /// Creates a slider for the numbers of a range at regular steps; its initial value is the lower bound.
  ///
  /// - Parameters:
  ///   - localizedTitle: The title, at most 128 bytes.
  ///   - symbolName: The name of the symbol; a host without symbols ignores it.
  ///   - range: The numbers; the upper bound must be greater than the lower bound.
  ///   - step: The difference between adjacent numbers; greater than 0, and at most the length of the range.
  public convenience init(
    _ localizedTitle: String,
    symbolName: String,
    in range: ClosedRange<Float>,
    step: Float
  ) {
    self.init(localizedTitle, symbolName, range, step: step)
  }

  /// Creates a slider for certain numbers; its initial value is the smallest.
  ///
  /// - Parameters:
  ///   - localizedTitle: The title, at most 128 bytes.
  ///   - symbolName: The name of the symbol; a host without symbols ignores it.
  ///   - values: The numbers in any order, 1 to 256.
  public init(_ localizedTitle: String, symbolName: String, values: [Float]) {
    let values = Set(values).sorted().map(Self.doubleValue)
    super.init(
      localizedTitle,
      symbolName,
      Self.validated(SliderScale(.values(values)), values.first ?? 0),
      value: values.first ?? 0
    )
  }

  private init(_ title: String, _ symbol: String, _ range: ClosedRange<Float>, step: Float?) {
    let lower = Self.doubleValue(range.lowerBound)
    let places = SliderScale.Domain.range(
      lower: lower,
      upper: Self.doubleValue(range.upperBound),
      step: step.map(Self.doubleValue)
    )
    super.init(title, symbol, Self.validated(SliderScale(places), lower), value: lower)
  }

  /// The title.
  public var localizedTitle: String { title }

  /// The name of the symbol.
  public var symbolName: String { symbol }

  /// The number at which the slider is; setting it moves the slider, and runs no action.
  ///
  /// A number that the slider does not have traps.
  public var value: Float {
    get { Float(rawValue) }
    set { rawValue = Self.doubleValue(newValue) }
  }

  /// The format of the displayed number, with `%@` once for the number, such as `%@ mm`; `nil` shows only the
  /// number.
  public var localizedValueFormat: String? {
    get { scale.format }
    set { scale.format = newValue }
  }

  /// Numbers that are easier to select than others; they must be numbers of the slider.
  public var prominentValues: [Float] {
    get { scale.prominent.map(Float.init) }
    set {
      var new = scale
      new.prominent = newValue.map(Self.doubleValue)
      for value in new.prominent {
        precondition(new.allows(value), "\(value) is not a value of the slider '\(title)'; remove it")
      }
      scale = new
    }
  }

  /// The identifier for tests and scripts, or `nil` to derive it from the title.
  public var accessibilityIdentifier: String? {
    get { identifier }
    set { identifier = newValue }
  }

  /// Sets an action that runs after the user has moved the slider.
  ///
  /// - Parameters:
  ///   - actionQueue: The serial queue on which the action runs; the main queue uses the main thread.
  ///   - action: Receives the new number.
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

  /// Returns a validated scale; an invalid scale is a programming error and traps, like Apple's exception.
  private static func validated(_ scale: SliderScale, _ value: Double) -> CameraControl.Choices {
    let control = CameraControl(id: "slider", title: "slider", symbol: "", .slider(scale), value: value)
    do throws(CameraControlError) { try control.validate() } catch {
      preconditionFailure("a slider cannot be created: \(error)")
    }
    return control.choices
  }

  /// Returns the number with the shortest decimal spelling: 0.1, and not 0.10000000149011612.
  private static func doubleValue(_ number: Float) -> Double { Double("\(number)") ?? Double(number) }
}
