// SPDX-License-Identifier: Apache-2.0

/// Why camera controls cannot be shown to a person.
package struct CameraControlFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the control in its declaration, from 0; nil if it is about all of them.
  package var index: Int?
  /// What is wrong.
  package var reason: Reason

  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// There are more controls than the host shows.
    case tooMany(Int, most: Int)
    /// An id has other characters than a script could name.
    case id
    /// Another control has the same id.
    case sameID(as: Int)
    /// A text that has to be there is empty.
    case empty(String)
    /// A text is longer than it may be.
    case long(String, bytes: Int)
    /// A text has characters that a terminal obeys, or that turn others around.
    case unprintable(String)
    /// A range has no numbers between its ends, or ends that are too far out.
    case range(Double, Double)
    /// A step does not lead from one number of the range to another.
    case step(Double)
    /// Values do not rise from each to the next, or lie too far out.
    case values
    /// There are no values or titles, or too many.
    case count(String, Int)
    /// A prominent value is none that the slider has.
    case prominent(Double)
    /// A format has not exactly one place for its number.
    case format
    /// The value is none that the control can have.
    case value(Double)
  }

  /// Describes a fault.
  package init(_ reason: Reason, index: Int? = nil) {
    self.index = index
    self.reason = reason
  }

  /// A sentence with the mend; it shows numbers of the control, and never its texts.
  package var description: String { (index.map { "control \($0): " } ?? "") + sentence }

  /// The answer to a declaration with this fault.
  package var errorObject: ErrorObject {
    ErrorObject(code: ProtocolErrorCode.invalidControls.rawValue, message: "\(self); none is changed")
  }

  private var sentence: String {
    switch reason {
    case .tooMany(let count, let most):
      "there are \(count) camera controls, and \(most) are shown; declare fewer"
    case .id: "the id has to be 1 to 64 of the characters a-z, A-Z, 0-9, dot, hyphen and underscore"
    case .sameID(let other): "the id is that of control \(other); give each its own"
    case .empty(let field): "the \(field) is empty; say what people call it"
    case .long(let field, let bytes):
      "the \(field) has \(bytes) bytes and may have \(ProtocolLimits.controlTextBytes); say it shorter"
    case .unprintable(let field):
      "the \(field) has control characters or characters that turn text around; leave them out"
    case .range(let lower, let upper):
      "there is nothing from \(lower) up to \(upper); begin with the smaller end"
    case .step(let step): "the step \(step) has to be more than 0 and not more than the whole range"
    case .values: "the values have to rise from each to the next; sort them, and leave none in twice"
    case .count(let field, let count):
      "there are \(count) \(field), and there may be 1 to \(ProtocolLimits.controlChoices)"
    case .prominent(let value): "the prominent value \(value) is not among the slider's values"
    case .format: "the format needs %@ once, where the number stands, and no other percent sign"
    case .value(let value): "the value \(value) is none that the control can have"
    }
  }
}

extension CameraControl {
  /// Finds out whether these controls can be shown, of which there may be `most`.
  package static func validate(_ controls: [CameraControl], most: Int) throws(CameraControlFault) {
    guard controls.count <= most else { throw CameraControlFault(.tooMany(controls.count, most: most)) }
    for (index, control) in controls.enumerated() {
      do throws(CameraControlFault) { try control.validate() } catch {
        throw CameraControlFault(error.reason, index: index)
      }
      if let other = controls.firstIndex(where: { $0.id == control.id }), other < index {
        throw CameraControlFault(.sameID(as: other), index: index)
      }
    }
  }

  /// Finds out whether the control can be shown.
  package func validate() throws(CameraControlFault) {
    guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(Self.isOfID) else { throw .init(.id) }
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

  /// Whether a byte may be in an id.
  package static func isOfID(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Finds out whether a text can be shown.
  fileprivate static func check(_ field: String, _ text: String) throws(CameraControlFault) {
    guard text.utf8.count <= ProtocolLimits.controlTextBytes else {
      throw .init(.long(field, bytes: text.utf8.count))
    }
    guard text.unicodeScalars.allSatisfy(isShown) else { throw .init(.unprintable(field)) }
  }

  /// Whether a character only stands for itself: the joiners that scripts and emoji need do.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
    default: true
    }
  }
}

extension SliderScale {
  /// Whether the scale has a number. A step does not count here: where it leads to depends on how it is rounded.
  package func allows(_ value: Double) -> Bool {
    switch places {
    case .range(let lower, let upper, _): value >= lower && value <= upper
    case .values(let values): values.contains(value)
    }
  }

  /// Finds out whether the scale can be shown.
  fileprivate func validate() throws(CameraControlFault) {
    switch places {
    case .range(let lower, let upper, let step):
      guard Self.isNear(lower), Self.isNear(upper), lower < upper else { throw .init(.range(lower, upper)) }
      if let step {
        guard Float(step) > 0, step <= upper - lower else { throw .init(.step(step)) }
      }
    case .values(let values):
      guard (1...ProtocolLimits.controlChoices).contains(values.count) else {
        throw .init(.count("values", values.count))
      }
      guard values.allSatisfy(Self.isNear), zip(values, values.dropFirst()).allSatisfy(<) else {
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

  /// Whether a number is one, and one that Apple's sliders, which have single precision, could have.
  private static func isNear(_ number: Double) -> Bool { Float(number).isFinite }
}
