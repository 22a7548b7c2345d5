// SPDX-License-Identifier: Apache-2.0

/// A set of the member names of an object.
///
/// The first names are compared one by one. Creating the first `Set` of a process takes longer than comparing
/// all names of all messages, because the runtime has to create metadata. This would delay the first frame of
/// an extension.
struct UniqueNames {
  /// The maximum number of names that are compared one by one.
  private static let linearSearchLimit = 32

  /// The first names.
  private var smallList: [String] = []
  /// All names, if there are too many for ``smallList``.
  private var largeSet: Set<String>?

  /// Adds a name. Returns whether it is new.
  mutating func insert(_ name: String) -> Bool {
    if largeSet != nil { return largeSet?.insert(name).inserted == true }
    guard !smallList.contains(name) else { return false }
    smallList.append(name)
    if smallList.count == Self.linearSearchLimit { largeSet = Set(smallList) }
    return true
  }
}
