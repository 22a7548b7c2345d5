// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The values that differ between two reports.
package struct ReportChanges: Sendable, Hashable {
  /// The changes in the order of the newer report, followed by values that only the older report has.
  package private(set) var all: [Change] = []

  /// A value that differs between the reports.
  package struct Change: Sendable, Hashable {
    /// The members and indexes of the value, for example `enforcement.layers[2].state`.
    package var path: String
    /// The older value as compact JSON, or `nil` if it is new.
    package var old: String?
    /// The newer value as compact JSON, or `nil` if it was removed.
    package var new: String?
  }

  /// Creates the list of changes between two values. Arrays of strings are compared as sets, other arrays by
  /// index.
  package init(from old: JSONValue, to new: JSONValue) { compare(old, new, "") }

  private mutating func compare(_ old: JSONValue?, _ new: JSONValue?, _ path: String) {
    guard old != new else { return }
    if let old, let new, let before = old.members, let after = new.members {
      let base = path.isEmpty ? "" : path + "."
      for member in after { compare(old[member.name], member.value, base + member.name) }
      for member in before where new[member.name] == nil { compare(member.value, nil, base + member.name) }
    } else if let before = old?.elements, let after = new?.elements {
      compare(before, after, path)
    } else {
      all.append(Change(path: path, old: old.map { $0.text(.compact) }, new: new.map { $0.text(.compact) }))
    }
  }

  private mutating func compare(_ old: [JSONValue], _ new: [JSONValue], _ path: String) {
    let (before, after) = (old.compactMap(\.string), new.compactMap(\.string))
    if before.count == old.count, after.count == new.count {
      for text in after where !before.contains(text) { all.append(Change(path: path, old: nil, new: text)) }
      for text in before where !after.contains(text) { all.append(Change(path: path, old: text, new: nil)) }
      return
    }
    for index in 0..<max(old.count, new.count) {
      compare(
        old.indices.contains(index) ? old[index] : nil,
        new.indices.contains(index) ? new[index] : nil,
        "\(path)[\(index)]"
      )
    }
  }
}
