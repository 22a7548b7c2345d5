// SPDX-License-Identifier: Apache-2.0

/// What the consumers of an app's content know of, and what they are to be told next.
struct KnownContent: Sendable {
  /// A change that consumers have not been told of.
  enum Change: Hashable, Sendable {
    /// A session's content is there.
    case added(String)
    /// A session's content is gone.
    case removed(String)
  }

  /// The sessions that consumers know of, in the order in which they were told.
  private(set) var names: [String]
  /// The same, to look one up among thousands.
  private var lookup: Set<String>

  /// Begins with what is there.
  init(_ names: [String]) {
    self.names = names
    lookup = Set(names)
  }

  /// A session is there; nil if that is known.
  mutating func add(_ name: String) -> Change? {
    guard lookup.insert(name).inserted else { return nil }
    names.append(name)
    return .added(name)
  }

  /// A session is gone; nil if nobody knows of it.
  mutating func remove(_ name: String) -> Change? {
    guard lookup.remove(name) != nil else { return nil }
    names.removeAll { $0 == name }
    return .removed(name)
  }

  /// Compares with all that is there, because changes may have been missed.
  mutating func replace(with present: [String]) -> [Change] {
    let now = Set(present)
    let gone = names.filter { !now.contains($0) }
    lookup.subtract(gone)
    names.removeAll { !now.contains($0) }
    return gone.map(Change.removed) + present.compactMap { add($0) }
  }
}
