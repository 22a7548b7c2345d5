// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The members of an object of a policy document, by key.
///
/// An array is used instead of a dictionary: an object has at most a dozen members, and the first dictionary
/// with a new key type takes a process longer than reading a whole policy.
struct PolicyMembers<Key: RawRepresentable<String>> {
  private var members: [(name: String, node: JSONNode)] = []

  /// Creates an empty collection.
  init() {}

  /// Returns the value of a key, or `nil` if the object does not have it.
  subscript(key: Key) -> JSONNode? { members.last { $0.name == key.rawValue }?.node }

  /// Adds a member.
  mutating func append(_ key: Key, _ node: JSONNode) { members.append((key.rawValue, node)) }
}
