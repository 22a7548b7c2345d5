// SPDX-License-Identifier: Apache-2.0

/// A reason for which camera controls are invalid.
package struct CameraControlError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The index of the control in its declaration, or `nil` if the error concerns all controls.
  package var index: Int?
  package var reason: Reason

  /// A reason for which a control is invalid.
  package enum Reason: Hashable, Sendable {
    /// There are more controls than the host supports.
    case tooMany(Int, most: Int)
    /// An ID is empty, is too long, or has characters that scripts cannot use.
    case id
    /// Another control has the same ID.
    case duplicateID(as: Int)
    /// A required text is empty.
    case empty(String)
    /// A text is too long.
    case tooLong(String, bytes: Int)
    /// A text has control characters or characters that change the direction of text.
    case unprintable(String)
    /// A range is empty, or its bounds are too large.
    case range(Double, Double)
    /// A step is not positive, or is larger than the range.
    case step(Double)
    /// Values are not in ascending order, or are too large.
    case values
    /// There are no values or titles, or too many.
    case count(String, Int)
    /// A prominent value is not a value of the slider.
    case prominent(Double)
    /// A format does not have exactly one placeholder.
    case format
    /// The current value is not a value of the control.
    case value(Double)
  }

  /// Creates an error.
  package init(_ reason: Reason, index: Int? = nil) {
    self.index = index
    self.reason = reason
  }

  /// A sentence with the fix. It contains numbers of the control, but never its texts.
  package var description: String { (index.map { "control \($0): " } ?? "") + sentence }

  /// The error of the reply to an invalid declaration.
  package var errorObject: ErrorObject {
    ErrorObject(code: ProtocolErrorCode.invalidControls.rawValue, message: "\(self); no control was changed")
  }

  private var sentence: String {
    switch reason {
    case .tooMany(let count, let most):
      "there are \(count) camera controls, but the host shows at most \(most); declare fewer"
    case .id: "the ID must have 1 to 64 of the characters a-z, A-Z, 0-9, dot, hyphen and underscore"
    case .duplicateID(let other): "the ID is already the ID of control \(other); use unique IDs"
    case .empty(let field): "the \(field) is empty; write a name for the user"
    case .tooLong(let field, let bytes):
      "the \(field) has \(bytes) bytes, more than the limit of \(ProtocolLimits.controlTextBytes); shorten it"
    case .unprintable(let field):
      "the \(field) has control characters or characters that change the text direction; remove them"
    case .range(let lower, let upper):
      "the range from \(lower) to \(upper) is empty or too large; begin with the smaller bound"
    case .step(let step): "the step \(step) must be greater than 0, and at most the size of the range"
    case .values: "the values are not in ascending order, or too large; sort them, and remove duplicates"
    case .count(let field, let count):
      "there are \(count) \(field), but a control must have 1 to \(ProtocolLimits.controlChoices)"
    case .prominent(let value): "the prominent value \(value) is not a value of the slider"
    case .format: "the format must contain %@ once, at the position of the number, and no other percent sign"
    case .value(let value): "the value \(value) is not a value of the control"
    }
  }
}

extension CameraControl {
  /// Throws an error unless all controls are valid and there are at most `most`.
  package static func validate(_ controls: [CameraControl], most: Int) throws(CameraControlError) {
    guard controls.count <= most else { throw CameraControlError(.tooMany(controls.count, most: most)) }
    for (index, control) in controls.enumerated() {
      do throws(CameraControlError) { try control.validate() } catch {
        throw CameraControlError(error.reason, index: index)
      }
      if let other = controls.firstIndex(where: { $0.id == control.id }), other < index {
        throw CameraControlError(.duplicateID(as: other), index: index)
      }
    }
  }

  /// Throws an error unless the control is valid.
  package func validate() throws(CameraControlError) {
    guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(Self.isIDCharacter) else { throw .init(.id) }
    try Self.check("title", title)
    if title.isEmpty { throw .init(.empty("title")) }
    try Self.check("symbol", symbol)
    switch choices {
    case .slider(let scale): try scale.validate()
    case .picker(let titles):
      guard (1...ProtocolLimits.controlChoices).contains(titles.count) else {
        throw .init(.count("titles", titles.count))
      }
      for title in titles { try Self.check("title of a choice", title) }
    }
    guard allows(value) else { throw .init(.value(value)) }
  }

  /// Whether the control can have a value.
  package func allows(_ value: Double) -> Bool {
    switch choices {
    case .slider(let scale): scale.allows(value)
    case .picker(let titles): Int(exactly: value).map(titles.indices.contains) ?? false
    }
  }

  /// Whether an ID may contain a byte.
  package static func isIDCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Throws an error unless a text can be displayed.
  fileprivate static func check(_ field: String, _ text: String) throws(CameraControlError) {
    guard text.utf8.count <= ProtocolLimits.controlTextBytes else {
      throw .init(.tooLong(field, bytes: text.utf8.count))
    }
    guard text.unicodeScalars.allSatisfy(isPrintable) else { throw .init(.unprintable(field)) }
  }

  /// Whether a character has no effect on others. The joiners that scripts and emoji need are allowed.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
    default: true
    }
  }
}

extension SliderScale {
  /// Whether the scale contains a number. The step is ignored, because its values depend on rounding.
  package func allows(_ value: Double) -> Bool {
    switch domain {
    case .range(let lower, let upper, _): value >= lower && value <= upper
    case .values(let values): values.contains(value)
    }
  }

  /// Throws an error unless the scale is valid.
  fileprivate func validate() throws(CameraControlError) {
    switch domain {
    case .range(let lower, let upper, let step):
      guard Self.isRepresentable(lower), Self.isRepresentable(upper), lower < upper else {
        throw .init(.range(lower, upper))
      }
      if let step {
        guard Float(step) > 0, step <= upper - lower else { throw .init(.step(step)) }
      }
    case .values(let values):
      guard (1...ProtocolLimits.controlChoices).contains(values.count) else {
        throw .init(.count("values", values.count))
      }
      guard values.allSatisfy(Self.isRepresentable), zip(values, values.dropFirst()).allSatisfy(<) else {
        throw .init(.values)
      }
    }
    guard prominent.count <= ProtocolLimits.controlChoices else {
      throw .init(.count("prominent values", prominent.count))
    }
    for value in prominent where !allows(value) { throw .init(.prominent(value)) }
    guard let format else { return }
    try CameraControl.check("format", format)
    let parts = format.split(separator: "%@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts.joined().contains("%") else { throw .init(.format) }
  }

  /// Whether a number is finite in single precision, which Apple's sliders use.
  private static func isRepresentable(_ number: Double) -> Bool { Float(number).isFinite }
}
