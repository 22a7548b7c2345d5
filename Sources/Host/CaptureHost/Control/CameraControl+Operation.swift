// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The effect of user input on a validated control, and the text that shows the control to the user.
extension CameraControl {
  /// The number of steps of a range that was declared without a step.
  private static let defaultStepCount = 20.0

  /// Returns the allowed value nearest to `target`, or `nil` if `target` is outside the control's range.
  package func allowedValue(nearest target: Double) -> Double? {
    switch choices {
    case .picker: return allows(target) ? target : nil
    case .slider(let scale):
      switch scale.domain {
      case .range(let lower, let upper, let step):
        guard target >= lower, target <= upper else { return nil }
        guard let step else { return target }
        let place = Self.singlePrecision(lower + ((target - lower) / step).rounded() * step)
        return min(max(place, lower), upper)
      case .values(let values):
        guard let first = values.first, let last = values.last, target >= first, target <= last else {
          return nil
        }
        return values.min { abs($0 - target) < abs($1 - target) }
      }
    }
  }

  /// Returns the value after the given number of steps, limited to the range of the control.
  func steppedValue(by steps: Int) -> Double {
    func moved(_ index: Int, _ count: Int) -> Int { min(max(index + steps, 0), count - 1) }
    switch choices {
    case .picker(let titles): return Double(moved(Int(value), titles.count))
    case .slider(let scale):
      switch scale.domain {
      case .values(let values): return values[moved(values.firstIndex(of: value) ?? 0, values.count)]
      case .range(let lower, let upper, let step):
        let one = step ?? (upper - lower) / Self.defaultStepCount
        let target = min(max(Self.singlePrecision(value + Double(steps) * one), lower), upper)
        return allowedValue(nearest: target) ?? value
      }
    }
  }

  /// Returns the index of a picker's title, given as the title itself or as its index; otherwise `nil`.
  func index(of word: String) -> Double? {
    guard case .picker(let titles) = choices else { return nil }
    if let index = titles.firstIndex(of: word) { return Double(index) }
    return Int(word).flatMap { titles.indices.contains($0) ? Double($0) : nil }
  }

  /// The current value as text for the user.
  var displayText: String { shown(value) }

  /// The allowed values as a short text for messages.
  var rangeText: String {
    switch choices {
    case .picker(let titles): return Self.summary(titles)
    case .slider(let scale):
      switch scale.domain {
      case .range(let lower, let upper, _): return "\(shown(lower)) to \(shown(upper))"
      case .values(let values): return Self.summary(values.map(shown))
      }
    }
  }

  private func shown(_ value: Double) -> String {
    switch choices {
    case .picker(let titles): return titles[Int(value)]
    case .slider(let scale):
      let number = Int64(exactly: value).map { "\($0)" } ?? "\(Float(value))"
      return scale.format.map { $0.replacing("%@", with: number) } ?? number
    }
  }

  /// Returns the first eight of the texts and the number of the remaining ones.
  private static func summary(_ texts: [String]) -> String {
    texts.prefix(8).joined(separator: ", ") + (texts.count > 8 ? " and \(texts.count - 8) more" : "")
  }

  /// Returns the number rounded to single precision, which removes the rounding errors of repeated steps.
  private static func singlePrecision(_ number: Double) -> Double { Double("\(Float(number))") ?? number }
}
