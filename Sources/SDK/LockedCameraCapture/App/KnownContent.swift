// SPDX-License-Identifier: Apache-2.0

/// The sessions that the consumers know, for computing the next updates.
struct KnownContent: Sendable {
  /// A change that consumers have not received yet.
  enum Change: Hashable, Sendable {
    /// The content of a session was added.
    case added(String)
    /// The content of a session was removed.
    case removed(String)
  }

  /// The known sessions with a sequence number, so that a lookup among thousands takes constant time.
  private var sequenceNumbers: [String: Int] = [:]
  /// The last sequence number.
  private var last = 0

  /// Creates the set of the existing sessions.
  init(_ names: [String]) {
    for name in names { _ = add(name) }
  }

  /// The known sessions, in the order in which they were reported.
  var names: [String] { sequenceNumbers.sorted { $0.value < $1.value }.map(\.key) }

  /// Adds a session and returns the change, or `nil` if the session is already known.
  mutating func add(_ name: String) -> Change? {
    guard sequenceNumbers[name] == nil else { return nil }
    last += 1
    sequenceNumbers[name] = last
    return .added(name)
  }

  /// Removes a session and returns the change, or `nil` if the session is unknown.
  mutating func remove(_ name: String) -> Change? {
    sequenceNumbers.removeValue(forKey: name).map { _ in .removed(name) }
  }

  /// Replaces the known sessions and returns the changes, for use after lost events.
  mutating func replace(with present: [String]) -> [Change] {
    let now = Set(present)
    let gone = names.filter { !now.contains($0) }
    for name in gone { sequenceNumbers[name] = nil }
    return gone.map(Change.removed) + present.compactMap { add($0) }
  }
}
