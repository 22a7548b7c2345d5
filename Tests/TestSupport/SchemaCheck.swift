// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Checks documents against the subset of JSON Schema that the published schemas use. An unknown keyword
/// throws.
package struct SchemaCheck {
  private let root: JSONValue

  /// Creates a check against a schema.
  package init(_ root: JSONValue) { self.root = root }

  /// An unknown keyword, or a reference that cannot be resolved.
  package struct UnknownKeyword: Error {
    /// The keyword or reference.
    package let keyword: String
  }

  /// Returns the paths and keywords at which a document does not match the schema.
  package func faults(in value: JSONValue) throws -> [String] { try faults(value, root, "") }

  private func faults(_ value: JSONValue, _ schema: JSONValue, _ path: String) throws -> [String] {
    var found: [String] = []
    for keyword in schema.members ?? [] {
      if try !fits(value, keyword, schema, path, &found) { found.append("\(path): \(keyword.name)") }
    }
    return found
  }

  private func fits(
    _ value: JSONValue,
    _ keyword: JSONValue.Member,
    _ schema: JSONValue,
    _ path: String,
    _ found: inout [String]
  ) throws -> Bool {
    let limit = keyword.value
    switch keyword.name {
    case "$schema", "$id", "$defs", "title", "description", "default": return true
    case "$ref": found += try faults(value, try definition(limit), path)
    case "type": return kind(value).contains(limit.string ?? "")
    case "enum": return limit.elements?.contains(value) == true
    case "required": return limit.elements?.allSatisfy { value[$0.string ?? ""] != nil } == true
    case "properties":
      for member in limit.members ?? [] {
        guard let part = value[member.name] else { continue }
        found += try faults(part, member.value, "\(path)/\(member.name)")
      }
    case "additionalProperties":
      let known = schema["properties"]?.members?.map(\.name) ?? []
      let others = (value.members ?? []).filter { !known.contains($0.name) }
      if limit == false { return others.isEmpty }
      for other in others { found += try faults(other.value, limit, "\(path)/\(other.name)") }
    case "propertyNames":
      for member in value.members ?? [] { found += try faults(.string(member.name), limit, path) }
    case "items":
      for element in value.elements ?? [] { found += try faults(element, limit, "\(path)[]") }
    default: return try fits(value, scalar: keyword)
    }
    return true
  }

  private func fits(_ value: JSONValue, scalar keyword: JSONValue.Member) throws -> Bool {
    let limit = keyword.value.double ?? 0
    switch keyword.name {
    case "minItems": return Double(value.elements?.count ?? .max) >= limit
    case "uniqueItems":
      let elements = value.elements ?? []
      return elements.indices.allSatisfy { !elements[..<$0].contains(elements[$0]) }
    case "minLength": return Double(value.string?.unicodeScalars.count ?? .max) >= limit
    case "maxLength": return Double(value.string?.unicodeScalars.count ?? 0) <= limit
    case "minimum": return (value.double ?? .infinity) >= limit
    case "maximum": return (value.double ?? -.infinity) <= limit
    case "pattern":
      guard let text = value.string else { return true }
      return try Regex(keyword.value.string ?? "").firstMatch(in: text) != nil
    default: throw UnknownKeyword(keyword: keyword.name)
    }
  }

  private func definition(_ reference: JSONValue) throws -> JSONValue {
    let prefix = "#/$defs/"
    guard let name = reference.string, name.hasPrefix(prefix),
      let definition = root["$defs"]?[String(name.dropFirst(prefix.count))]
    else { throw UnknownKeyword(keyword: reference.text()) }
    return definition
  }

  private func kind(_ value: JSONValue) -> [String] {
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
}
