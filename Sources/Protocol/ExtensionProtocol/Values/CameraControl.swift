// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The appearance of a session's camera controls.
package enum ControlsAppearance: String, CaseIterable, Sendable {
  /// No control is in use.
  case inactive
  /// The user is using a control that overlays the viewfinder.
  case active
  /// The controls fill the display and cover the content that the extension draws next to the viewfinder.
  case fullscreen
}

/// A kind of camera control.
package enum CameraControlKind: String, CaseIterable, Sendable {
  /// A number from a range or a list.
  case slider
  /// One of several titles.
  case picker
}

/// A property of the camera that the user can adjust with keys of the machine.
///
/// A control that was read may be invalid; call ``validate()``.
package struct CameraControl: WireValue, Hashable {
  /// The control's ID in messages and scripts.
  package var id: String
  /// The title for the user.
  package var title: String
  /// The name of the symbol.
  package var symbol: String
  /// Whether the user can change the value.
  package var isEnabled: Bool
  /// The possible values.
  package var choices: Choices
  /// The current value; for a picker, the index of the title.
  package var value: Double

  /// The possible values of a control.
  package enum Choices: Hashable, Sendable {
    /// A number.
    case slider(SliderScale)
    /// The index of a title.
    case picker(titles: [String])
  }

  /// Creates a control.
  package init(
    id: String,
    title: String,
    symbol: String,
    isEnabled: Bool = true,
    _ choices: Choices,
    value: Double
  ) {
    self.id = id
    self.title = title
    self.symbol = symbol
    self.isEnabled = isEnabled
    self.choices = choices
    self.value = value
  }

  /// The kind of the control.
  package var kind: CameraControlKind {
    switch choices {
    case .slider: .slider
    case .picker: .picker
    }
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    id = try fields.string("id")
    title = try fields.string("title")
    symbol = try fields.string("symbol")
    isEnabled = try fields.ifPresent("enabled", FieldReader.flag) ?? true
    value = try fields.number("value")
    let kind: CameraControlKind = try fields.choice("kind")
    choices =
      switch kind {
      case .slider: .slider(try SliderScale(from: fields))
      case .picker: .picker(titles: try fields.strings("titles"))
      }
  }

  /// The value as JSON.
  package var json: JSONValue {
    let own: [JSONValue.Member] =
      switch choices {
      case .slider(let scale): scale.json.members ?? []
      case .picker(let titles): [.init("titles", .array(titles.map(JSONValue.string)))]
      }
    return .object(
      [
        .init("id", .string(id)), .init("kind", .string(kind.rawValue)), .init("title", .string(title)),
        .init("symbol", .string(symbol)), .init("enabled", .bool(isEnabled)), .init("value", .short(value)),
      ] + own
    )
  }
}

/// The numbers of a slider.
package struct SliderScale: WireValue, Hashable {
  /// The possible numbers.
  package var domain: Domain
  /// The numbers that are easier to select than others.
  package var prominent: [Double]
  /// The format of a number, with `%@` as its placeholder, or `nil` for the number alone.
  package var format: String?

  /// The possible numbers of a slider.
  package enum Domain: Hashable, Sendable {
    /// The numbers from `lower` to `upper`; with a step, only every `step` from `lower`.
    case range(lower: Double, upper: Double, step: Double?)
    /// Only these numbers, in ascending order.
    case values([Double])
  }

  /// Creates a scale.
  package init(_ places: Domain, prominent: [Double] = [], format: String? = nil) {
    self.domain = places
    self.prominent = prominent
    self.format = format
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    prominent = try fields.ifPresent("prominent", FieldReader.numbers) ?? []
    format = try fields.ifPresent("format", FieldReader.string)
    if let values = try fields.ifPresent("values", FieldReader.numbers) {
      domain = .values(values)
      return
    }
    let range = try fields.numbers("range")
    guard range.count == 2 else {
      throw fields.wrong("range", expected: "an array of two numbers", found: "an array of \(range.count)")
    }
    let step = try fields.ifPresent("step", FieldReader.number)
    domain = .range(lower: range[0], upper: range[1], step: step)
  }

  /// The value as JSON.
  package var json: JSONValue {
    func array(_ numbers: [Double]) -> JSONValue { .array(numbers.map(JSONValue.short)) }
    let rest = (prominent.isEmpty ? nil : array(prominent), format.map(JSONValue.string))
    return switch domain {
    case .range(let lower, let upper, let step):
      .object([
        "range": array([lower, upper]), "step": step.map(JSONValue.short), "prominent": rest.0,
        "format": rest.1,
      ])
    case .values(let values): .object(["values": array(values), "prominent": rest.0, "format": rest.1])
    }
  }
}

extension JSONValue {
  /// Returns a number, as an integer if it has no fraction.
  static func short(_ number: Double) -> JSONValue {
    Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
  }
}
