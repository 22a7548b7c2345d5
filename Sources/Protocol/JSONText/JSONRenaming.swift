// SPDX-License-Identifier: Apache-2.0

/// A name that differs between two versions of a JSON document.
package enum JSONRenaming: Sendable {
  /// A member of the objects at a path.
  case member(path: [String], old: String, new: String)
  /// A string at a path.
  case value(path: [String], old: String, new: String)

  /// A path component for all elements of an array, or all members of an object.
  package static let each = "*"

  /// Returns the document with the new name. Other parts of the document remain unchanged.
  package func updated(_ document: JSONValue) -> JSONValue {
    switch self {
    case .member(let path, let old, let new):
      Self.map(document, path[...]) { Self.renaming(old, to: new, in: $0) }
    case .value(let path, let old, let new):
      Self.map(document, path[...]) { $0 == .string(old) ? .string(new) : $0 }
    }
  }

  /// Returns a value in which the values at a path are replaced.
  private static func map(
    _ value: JSONValue,
    _ path: ArraySlice<String>,
    _ change: (JSONValue) -> JSONValue
  ) -> JSONValue {
    guard let name = path.first else { return change(value) }
    let rest = path.dropFirst()
    switch value {
    case .object(let members):
      return .object(
        members.map { member in
          guard name == each || member.name == name else { return member }
          return JSONValue.Member(member.name, map(member.value, rest, change))
        }
      )
    case .array(let elements) where name == each:
      return .array(elements.map { map($0, rest, change) })
    default: return value
    }
  }

  /// Returns an object with one member renamed. A member that already has the new name is unknown in the
  /// old version of the document, and is left out.
  private static func renaming(_ old: String, to new: String, in value: JSONValue) -> JSONValue {
    guard let members = value.members, value[old] != nil else { return value }
    return .object(
      members.filter { $0.name != new }
        .map { $0.name == old ? JSONValue.Member(new, $0.value) : $0 }
    )
  }
}

extension JSONValue {
  /// Returns the document with all renamings applied in their order.
  package func updated(by renamings: [JSONRenaming]) -> JSONValue {
    renamings.reduce(self) { $1.updated($0) }
  }
}
