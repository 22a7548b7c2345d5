// SPDX-License-Identifier: Apache-2.0

/// The names of an object so far.
///
/// A few are compared one by one: the first set of a program costs more than all names of all messages together, because
/// the runtime has to find out what can be in it, and an extension is to be in front of the person soon.
struct SeenNames {
  /// How many names are compared one by one.
  private static let few = 32

  /// The first names.
  private var first: [String] = []
  /// All of them, once they are many.
  private var many: Set<String>?

  /// Adds a name; false if it is there already.
  mutating func insert(_ name: String) -> Bool {
    if many != nil { return many?.insert(name).inserted == true }
    guard !first.contains(name) else { return false }
    first.append(name)
    if first.count == Self.few { many = Set(first) }
    return true
  }
}
