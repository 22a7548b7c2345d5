// SPDX-License-Identifier: Apache-2.0

internal import JSONText

// MARK: From JSON

extension BusValue {
  /// The members of the host interface that contain arrays of objects. An empty array has no element that
  /// shows its type.
  static let objectLists: Set<String> = [
    "apps", "assets", "bindings", "calls", "cameras", "checks", "controls", "deliveries", "diagnostics",
    "discrepancies", "entries", "extensions", "files", "fixes", "initial", "layers", "machine", "microphones",
    "permissions", "planes", "quarantined", "refusals", "reports", "sandbox", "sessions", "sets", "trials",
    "uses", "verdicts", "warnings",
  ]

  /// Creates a dictionary (`a{sv}`) from an object, without the named members. Another JSON value becomes an
  /// empty dictionary.
  init(object: JSONValue?, without names: Set<String> = []) {
    let members = (object?.members ?? []).filter { !names.contains($0.name) }
    self = .dictionary(
      members.compactMap { member in
        BusValue(member: member).map { (member.name, $0) }
      }
    )
  }

  /// Creates an array of dictionaries (`aa{sv}`) from an array of objects.
  init(objects: JSONValue?) {
    self = .array(element: "a{sv}", (objects?.elements ?? []).map { BusValue(object: $0) })
  }

  /// Creates an array of strings (`as`) from an array. Other elements are left out.
  init(strings: JSONValue?) {
    self = .strings((strings?.elements ?? []).compactMap(\.string))
  }

  /// Creates the value of a variant from a member of an object, or returns `nil` for `null`.
  init?(member: JSONValue.Member) {
    switch member.value {
    case .array(let elements) where elements.isEmpty:
      self = .array(element: Self.objectLists.contains(member.name) ? "a{sv}" : "s", [])
    default: self.init(member.value)
    }
  }

  /// Creates the value of a variant from JSON, or returns `nil` for `null`.
  private init?(_ value: JSONValue) {
    switch value {
    case .null: return nil
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .int64(value)
    case .number(let value): self = .double(value)
    case .string(let text): self = .string(text)
    case .object: self.init(object: value)
    case .array(let elements):
      let values = elements.compactMap { BusValue($0) }
      let types = Set(values.map(\.signature))
      // Elements of several types are variants.
      self =
        types.count == 1
        ? .array(element: types.first ?? "s", values)
        : .array(element: "v", values.map { .variant($0) })
    }
  }
}

// MARK: To JSON

extension BusValue {
  /// Returns the value as JSON.
  ///
  /// - Throws: `InvalidArgs` for a value without a JSON equivalent: a descriptor, a structure, a dictionary
  ///   with other keys than unique strings, and a number that JSON cannot represent.
  func json() throws(BusFailure) -> JSONValue {
    switch self {
    case .bool(let value): return .bool(value)
    case .byte(let value): return .integer(Int64(value))
    case .int16(let value): return .integer(Int64(value))
    case .uint16(let value): return .integer(Int64(value))
    case .int32(let value): return .integer(Int64(value))
    case .uint32(let value): return .integer(Int64(value))
    case .int64(let value): return .integer(value)
    case .uint64(let value):
      guard let value = Int64(exactly: value) else {
        throw .invalidArguments("the number \(value) exceeds the range of 64-bit signed integers")
      }
      return .integer(value)
    case .double(let value):
      guard value.isFinite else { throw .invalidArguments("a number is infinite or not a number") }
      return .number(value)
    case .string(let text), .objectPath(let text), .signature(let text): return .string(text)
    case .variant(let value): return try value.json()
    case .array(let element, let elements):
      return element.hasPrefix("{") ? try Self.object(elements) : .array(try Self.list(elements))
    case .descriptor, .structure, .entry:
      throw .invalidArguments("a value of the type '\(signature)' is not supported here")
    }
  }

  private static func list(_ elements: [BusValue]) throws(BusFailure) -> [JSONValue] {
    var values: [JSONValue] = []
    for element in elements { values.append(try element.json()) }
    return values
  }

  private static func object(_ entries: [BusValue]) throws(BusFailure) -> JSONValue {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    for case .entry(let key, let value) in entries {
      guard case .string(let name) = key else {
        throw .invalidArguments("the keys of a dictionary must be strings")
      }
      guard names.insert(name).inserted else {
        throw .invalidArguments("the dictionary contains the key '\(name)' twice")
      }
      members.append(JSONValue.Member(name, try value.json()))
    }
    return .object(members)
  }
}
