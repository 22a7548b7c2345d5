// SPDX-License-Identifier: Apache-2.0

/// A set of the member names of an object.
///
/// The first names are compared one by one. Creating the first `Set` of a process takes longer than comparing
/// all names of all messages, because the runtime has to create metadata. This would delay the first frame of
/// an extension.
struct SeenNames {
  /// The maximum number of names that are compared one by one.
  private static let few = 32

  /// The first names.
  private var first: [String] = []
  /// All names, if there are too many for ``first``.
  private var many: Set<String>?

  /// Adds a name. Returns whether it is new.
  mutating func insert(_ name: String) -> Bool {
    if many != nil { return many?.insert(name).inserted == true }
    guard !first.contains(name) else { return false }
    first.append(name)
    if first.count == Self.few { many = Set(first) }
    return true
  }
}
