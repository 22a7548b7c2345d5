// SPDX-License-Identifier: Apache-2.0

package import Digests

/// The names that the entries of a directory get.
///
/// The plan depends only on the set of names, and each change leaves the rest of the plan unchanged.
/// Therefore a verification that was interrupted between two changes ends with the same names.
package struct NamePlan {
  /// A name that must change.
  struct Change: Hashable {
    /// The old name.
    let name: [UInt8]
    /// Whether it must change because of its combination with other names in the directory.
    let isSignificant: Bool
  }

  /// The names that must change, sorted.
  private(set) var changes: [Change] = []
  private let form: ContentRule.Form
  /// The keys of unchanged names and of chosen new names.
  private var usedKeys: Set<NameKey> = []

  /// The maximum number of new names tried for one entry.
  private static let maximumAttempts = 64

  /// Creates the plan for the names of a directory.
  init(_ names: [[UInt8]], _ form: ContentRule.Form) {
    self.form = form
    let invalid = names.filter { NameSpelling.fault($0, form) != nil }
    let mayCollide = form == .portable && NameKey.mayCollide(names)
    let heads = form == .portable ? Self.repositoryHeads(names) : []
    // The fast path for nearly every directory.
    guard !invalid.isEmpty || mayCollide || !heads.isEmpty else { return }
    let changing = Set(invalid).union(heads)
    changes = invalid.map { Change(name: $0, isSignificant: false) }
    changes += heads.filter { !invalid.contains($0) }.map { Change(name: $0, isSignificant: true) }
    for name in names.sorted(by: Self.precedes) where !changing.contains(name) {
      // The first of several names with the same key is kept.
      let isFirst = usedKeys.insert(NameKey(name, form)).inserted
      if !isFirst { changes.append(Change(name: name, isSignificant: false)) }
    }
    changes.sort { Self.precedes($0.name, $1.name) }
  }

  /// Returns an unused name for an entry, or `nil` if there is none. Each call for the same entry returns
  /// another name.
  mutating func choose(_ change: Change) throws(DigestError) -> [UInt8]? {
    let spelling = NameSpelling(change.name, form, isSignificant: change.isSignificant)
    for attempt in 0..<Self.maximumAttempts {
      let candidate = try spelling.candidate(attempt)
      if usedKeys.insert(NameKey(candidate, form)).inserted { return candidate }
    }
    return nil
  }

  /// Returns the planned names in the order of the old names, with `nil` for entries without an unused name.
  package static func names(
    _ names: [[UInt8]],
    _ form: ContentRule.Form
  ) throws(DigestError) -> [[UInt8]?] {
    var plan = NamePlan(names, form)
    var changed: [[UInt8]: [UInt8]?] = [:]
    for change in plan.changes { changed[change.name] = .some(try plan.choose(change)) }
    return names.map { changed[$0] ?? $0 }
  }

  private static func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.lexicographicallyPrecedes(other)
  }

  /// Returns the names by which git recognizes a directory as a repository.
  ///
  /// These are all spellings of `HEAD`, if the directory also has `objects` and `refs`, or `commondir` (the
  /// path of both). In a repository, git runs programs from its configuration; see `safe.bareRepository` in
  /// git-config(1).
  private static func repositoryHeads(_ names: [[UInt8]]) -> [[UInt8]] {
    let heads = names.filter { $0.count == 4 && $0.map(NameBytes.lowercase) == Array("head".utf8) }
    guard !heads.isEmpty else { return [] }
    let keys = Set(names.map { NameKey($0, .portable) })
    func contains(_ name: String) -> Bool { keys.contains(.folded(name)) }
    return contains("objects") && contains("refs") || contains("commondir") ? heads : []
  }
}
