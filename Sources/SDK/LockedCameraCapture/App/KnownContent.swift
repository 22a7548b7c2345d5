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

  /// The sessions that consumers know of, by the number of their turn; looking one up takes no longer among thousands.
  private var turns: [String: Int] = [:]
  /// The number of the last turn.
  private var last = 0

  /// Begins with what is there.
  init(_ names: [String]) {
    for name in names { _ = add(name) }
  }

  /// The sessions that consumers know of, in the order in which they were told.
  var names: [String] { turns.sorted { $0.value < $1.value }.map(\.key) }

  /// A session is there; nil if that is known.
  mutating func add(_ name: String) -> Change? {
    guard turns[name] == nil else { return nil }
    last += 1
    turns[name] = last
    return .added(name)
  }

  /// A session is gone; nil if nobody knows of it.
  mutating func remove(_ name: String) -> Change? {
    turns.removeValue(forKey: name).map { _ in .removed(name) }
  }

  /// Compares with all that is there, because changes may have been missed.
  mutating func replace(with present: [String]) -> [Change] {
    let now = Set(present)
    let gone = names.filter { !now.contains($0) }
    for name in gone { turns[name] = nil }
    return gone.map(Change.removed) + present.compactMap { add($0) }
  }
}
