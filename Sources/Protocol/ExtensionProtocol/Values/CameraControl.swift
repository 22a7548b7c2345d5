// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// How the camera controls of a session stand before the person.
package enum ControlsAppearance: String, CaseIterable, Sendable {
  /// Nobody uses them.
  case inactive
  /// The person uses one, over the viewfinder.
  case active
  /// They fill the display; what the extension draws beside the viewfinder is in the way.
  case fullscreen
}

/// What kind of thing a camera control is.
package enum CameraControlKind: String, CaseIterable, Sendable {
  /// A number of a range.
  case slider
  /// One of several titles.
  case picker
}

/// Something about the camera that an extension lets the person adjust with the machine's own keys.
///
/// What was read is not yet known to make sense: ``validate()`` finds out.
package struct CameraControl: WireValue, Hashable {
  /// What it is called in messages and scripts.
  package var id: String
  /// What people call it.
  package var title: String
  /// The name of its picture.
  package var symbol: String
  /// Whether the person may change it.
  package var isEnabled: Bool
  /// The values that it can have.
  package var choices: Choices
  /// The value that it has; of a picker the number of the title, from 0.
  package var value: Double

  /// The values that a control can have.
  package enum Choices: Hashable, Sendable {
    /// A number.
    case slider(SliderScale)
    /// The number of a title.
    case picker(titles: [String])
  }

  /// Describes a control.
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

  /// Reads it.
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

  /// Writes it.
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
  /// The numbers that there are.
  package var places: Places
  /// Those of them that are easier to find than others.
  package var prominent: [Double]
  /// How a number is shown, with `%@` in its place; nil: alone.
  package var format: String?

  /// The numbers that there are.
  package enum Places: Hashable, Sendable {
    /// All from `lower` to `upper`; with a step only every so manieth.
    case range(lower: Double, upper: Double, step: Double?)
    /// Only these, in their order.
    case values([Double])
  }

  /// Describes a scale.
  package init(_ places: Places, prominent: [Double] = [], format: String? = nil) {
    self.places = places
    self.prominent = prominent
    self.format = format
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    prominent = try fields.ifPresent("prominent", FieldReader.numbers) ?? []
    format = try fields.ifPresent("format", FieldReader.string)
    if let values = try fields.ifPresent("values", FieldReader.numbers) {
      places = .values(values)
      return
    }
    let range = try fields.numbers("range")
    guard range.count == 2 else {
      throw fields.wrong("range", expected: "an array of two numbers", found: "an array of \(range.count)")
    }
    let step = try fields.ifPresent("step", FieldReader.number)
    places = .range(lower: range[0], upper: range[1], step: step)
  }

  /// Writes it.
  package var json: JSONValue {
    func array(_ numbers: [Double]) -> JSONValue { .array(numbers.map(JSONValue.short)) }
    let rest = (prominent.isEmpty ? nil : array(prominent), format.map(JSONValue.string))
    return switch places {
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
  /// A number, without a fraction where it has none.
  static func short(_ number: Double) -> JSONValue {
    Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
  }
}
