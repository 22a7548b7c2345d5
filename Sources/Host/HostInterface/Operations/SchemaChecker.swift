// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Checks values against the keywords of JSON Schema that the description of the interface uses.
struct SchemaChecker {
  /// The schemas that references name.
  private let schemas: JSONValue

  /// A mismatch between a value and its schema.
  struct Fault: Sendable, Hashable {
    /// The path of the value, such as `params.options.camera`.
    var path: String
    /// The mismatch, as a clause.
    var reason: String
  }

  /// Creates a checker with the schemas that references name.
  init(_ schemas: JSONValue) { self.schemas = schemas }

  private static let reference = "#/components/schemas/"

  /// Returns the first mismatch, or `nil` if the value matches.
  func fault(in value: JSONValue, _ schema: JSONValue, _ path: String) -> Fault? {
    if let name = schema["$ref"]?.string {
      let target = schemas[String(name.dropFirst(Self.reference.count))] ?? .null
      return fault(in: value, target, path)
    }
    guard let type = schema["type"]?.string else { return nil }
    guard Self.kinds(value).contains(type) else {
      return Fault(path: path, reason: "must be \(Self.article(type)), and is \(Self.name(value))")
    }
    if let choices = schema["enum"]?.elements, !choices.contains(value) {
      let names = choices.compactMap(\.string).map { "'\($0)'" }.joined(separator: ", ")
      return Fault(path: path, reason: "must be one of \(names)")
    }
    return switch value {
    case .object(let members): fault(in: members, schema, path)
    case .array(let elements): fault(in: elements, schema, path)
    default: fault(inScalar: value, schema, path)
    }
  }

  private func fault(in members: [JSONValue.Member], _ schema: JSONValue, _ path: String) -> Fault? {
    let names = Set(members.map(\.name))
    for required in schema["required"]?.elements ?? [] {
      guard let name = required.string, !names.contains(name) else { continue }
      return Fault(path: "\(path).\(name)", reason: "is missing")
    }
    for member in members {
      let place = "\(path).\(member.name)"
      if let known = schema["properties"]?[member.name] {
        if let found = fault(in: member.value, known, place) { return found }
        continue
      }
      switch schema["additionalProperties"] {
      case .bool(false)?: return Fault(path: place, reason: "is unknown; remove it, or check its spelling")
      case let others? where others.members != nil:
        if let found = fault(in: member.value, others, place) { return found }
      default: break
      }
    }
    return nil
  }

  private func fault(in elements: [JSONValue], _ schema: JSONValue, _ path: String) -> Fault? {
    if let fewest = schema["minItems"]?.integer, elements.count < fewest {
      return Fault(path: path, reason: "must have at least \(fewest) elements")
    }
    if let most = schema["maxItems"]?.integer, elements.count > most {
      return Fault(path: path, reason: "must have at most \(most) elements")
    }
    guard let items = schema["items"] else { return nil }
    for (index, element) in elements.enumerated() {
      if let found = fault(in: element, items, "\(path)[\(index)]") { return found }
    }
    return nil
  }

  private func fault(inScalar value: JSONValue, _ schema: JSONValue, _ path: String) -> Fault? {
    if let text = value.string {
      let count = text.utf8.count
      if let least = schema["minLength"]?.integer, count < least {
        return Fault(path: path, reason: "must have at least \(least) bytes")
      }
      if let most = schema["maxLength"]?.integer, count > most {
        return Fault(path: path, reason: "must have at most \(most) bytes")
      }
      if text.utf8.contains(0) { return Fault(path: path, reason: "must not contain a NUL character") }
    }
    guard let number = value.double else { return nil }
    if let least = schema["minimum"]?.double, number < least {
      return Fault(path: path, reason: "must be at least \(Self.text(least))")
    }
    if let most = schema["maximum"]?.double, number > most {
      return Fault(path: path, reason: "must be at most \(Self.text(most))")
    }
    return nil
  }

  /// Returns the types of JSON Schema that a value has.
  private static func kinds(_ value: JSONValue) -> [String] {
    switch value {
    case .null: ["null"]
    case .bool: ["boolean"]
    case .integer: ["integer", "number"]
    case .number: ["number"]
    case .string: ["string"]
    case .array: ["array"]
    case .object: ["object"]
    }
  }

  private static func name(_ value: JSONValue) -> String { article(kinds(value).first ?? "") }

  private static func article(_ type: String) -> String {
    switch type {
    case "null": "null"
    case "integer", "array", "object": "an \(type)"
    default: "a \(type)"
    }
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
