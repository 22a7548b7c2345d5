// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The members of an object of a policy document, by their keys.
///
/// No dictionary: an object has a dozen members at the most, and the first dictionary with a key of some type costs a
/// process more than to read a whole policy.
struct PolicyMembers<Key: RawRepresentable<String>> {
  private var members: [(name: String, node: JSONNode)] = []

  /// No members yet.
  init() {}

  /// The value of a key; nil if it is not there.
  subscript(key: Key) -> JSONNode? { members.last { $0.name == key.rawValue }?.node }

  /// Takes a member.
  mutating func append(_ key: Key, _ node: JSONNode) { members.append((key.rawValue, node)) }
}
