// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A typed reader of the fields of an object in a message. Fields that are not read are ignored.
package struct FieldReader: Sendable {
  private let object: JSONValue
  private let path: String
  private let method: String?
  private let id: RequestID?

  init(_ object: JSONValue, path: String = "params", method: String?, id: RequestID? = nil) {
    self.object = object
    self.path = path
    self.method = method
    self.id = id
  }

  /// Creates a reader of the result of a reply.
  init(result: JSONValue, of method: String) throws(ProtocolViolation) {
    self.init(result, path: "result", method: method)
    guard result.members != nil else {
      throw violation(.wrong(field: path, expected: "an object", found: result.kindText))
    }
  }

  /// Creates a reader of a document that is not a message.
  init(document: JSONValue, name: String) throws(ProtocolViolation) {
    self.init(document, path: name, method: nil)
    guard document.members != nil else {
      throw violation(.wrong(field: name, expected: "an object", found: document.kindText))
    }
  }

  /// Returns the error that a field is invalid, for readers of other types.
  func wrong(_ name: String, expected: String, found: String) -> ProtocolViolation {
    violation(.wrong(field: "\(path).\(name)", expected: expected, found: found))
  }

  func violation(_ reason: ProtocolViolation.Reason) -> ProtocolViolation {
    ProtocolViolation(method: method, id: id, reason)
  }

  /// Returns the value of a required field, which may be null.
  func value(_ name: String, expected: String = "any JSON value") throws(ProtocolViolation) -> JSONValue {
    guard let value = object[name] else {
      throw violation(.missing(field: "\(path).\(name)", expected: expected))
    }
    return value
  }

  /// Returns the value of a field, including null, or `nil` if the field is missing.
  func valueIfPresent(_ name: String) -> JSONValue? { object[name] }

  /// Returns the converted value of a required field. `expected` describes the type, and is evaluated only
  /// for errors.
  func read<Result>(
    _ name: String,
    _ expected: @autoclosure () -> String,
    _ convert: (JSONValue) -> Result?
  ) throws(ProtocolViolation) -> Result {
    guard let value = object[name] else {
      throw violation(.missing(field: "\(path).\(name)", expected: expected()))
    }
    guard let result = convert(value) else {
      throw violation(.wrong(field: "\(path).\(name)", expected: expected(), found: value.kindText))
    }
    return result
  }

  func string(_ name: String) throws(ProtocolViolation) -> String {
    try read(name, "a string", \.string)
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ProtocolViolation) -> Int {
    func expected() -> String {
      "an integer, \(range.lowerBound) \(range.upperBound == .max ? "or more" : "to \(range.upperBound)")"
    }
    return try read(name, expected()) { value in
      value.integer.flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func seconds(_ name: String) throws(ProtocolViolation) -> Double {
    try read(name, "a number of seconds, 0 or more") { value in
      value.double.flatMap { $0 >= 0 ? $0 : nil }
    }
  }

  func number(_ name: String) throws(ProtocolViolation) -> Double {
    try read(name, "a number", \.double)
  }

  func numbers(_ name: String) throws(ProtocolViolation) -> [Double] {
    try read(name, "an array of numbers") { value in
      let numbers = value.elements?.compactMap(\.double)
      return numbers?.count == value.elements?.count ? numbers : nil
    }
  }

  func choice<Choice>(_ name: String) throws(ProtocolViolation) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    try read(name, Self.choices(Choice.self)) { $0.string.flatMap(Choice.init(rawValue:)) }
  }

  /// Returns the text of the possible values of a choice.
  private static func choices<Choice>(_ type: Choice.Type) -> String
  where Choice: RawRepresentable<String> & CaseIterable {
    "one of " + Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
  }

  func integers(_ name: String) throws(ProtocolViolation) -> [Int] {
    try read(name, "an array of integers") { value in
      guard let elements = value.elements else { return nil }
      let numbers = elements.compactMap { $0.integer.flatMap(Int.init(exactly:)) }
      return numbers.count == elements.count ? numbers : nil
    }
  }

  func flag(_ name: String) throws(ProtocolViolation) -> Bool {
    try read(name, "true or false", \.bool)
  }

  /// Returns the elements of an array of strings.
  func strings(_ name: String) throws(ProtocolViolation) -> [String] {
    try read(name, "an array of strings") { value in
      let texts = value.elements?.compactMap(\.string)
      return texts?.count == value.elements?.count ? texts : nil
    }
  }

  /// Returns the value of an optional field, or `nil` if the field is missing or null.
  func ifPresent<Result>(
    _ name: String,
    _ read: (FieldReader, String) throws(ProtocolViolation) -> Result
  ) throws(ProtocolViolation) -> Result? {
    guard let value = object[name], !value.isNull else { return nil }
    return try read(self, name)
  }

  /// Returns the value of an optional field, read by one of the methods of this type.
  func ifPresent<Result>(
    _ name: String,
    _ read: (FieldReader) -> (String) throws(ProtocolViolation) -> Result
  ) throws(ProtocolViolation) -> Result? {
    try ifPresent(name) { fields, name throws(ProtocolViolation) in try read(fields)(name) }
  }

  /// Returns readers of the elements of an array of objects.
  func objects(_ name: String) throws(ProtocolViolation) -> [FieldReader] {
    let elements = try read(name, "an array of objects") { value in
      value.elements?.allSatisfy { $0.members != nil } == true ? value.elements : nil
    }
    return elements.enumerated().map { index, element in
      FieldReader(element, path: "\(path).\(name)[\(index)]", method: method, id: id)
    }
  }

  func object(_ name: String) throws(ProtocolViolation) -> FieldReader {
    let object = try read(name, "an object") { $0.members == nil ? nil : $0 }
    return FieldReader(object, path: "\(path).\(name)", method: method, id: id)
  }

  func optionalObject(_ name: String) throws(ProtocolViolation) -> FieldReader? {
    try value(name, expected: "an object or null").isNull ? nil : try object(name)
  }
}

extension JSONValue {
  /// The value or its type, as text for errors.
  var kindText: String {
    switch self {
    case .null, .bool, .integer, .number, .string: text()
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A value that is sent in messages as an object.
package protocol WireValue: Equatable, Sendable {
  /// Creates a value from its fields in a message.
  init(from fields: FieldReader) throws(ProtocolViolation)
  /// The value as JSON.
  var json: JSONValue { get }
}

extension WireValue {
  /// Creates a value from the result of a request to the host.
  package init(result: JSONValue, of method: ExtensionMethod) throws(ProtocolViolation) {
    try self.init(from: FieldReader(result: result, of: method.rawValue))
  }

  /// Creates a value from the result of a request to the extension.
  package init(result: JSONValue, of method: HostMethod) throws(ProtocolViolation) {
    try self.init(from: FieldReader(result: result, of: method.rawValue))
  }
}
