// SPDX-License-Identifier: Apache-2.0

internal import SystemCalls

/// The groups of system calls, with the names that systemd uses.
package enum CallGroup {
  /// The direct members of each group: calls, and other groups with their `@`.
  package static let members: [String: [String]] = Dictionary(
    uniqueKeysWithValues: text.description.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      return words.first.map { ($0, Array(words.dropFirst())) }
    }
  )

  /// Returns the calls of a group and of its nested groups without duplicates, or `nil` if there is no such
  /// group.
  package static func calls(of group: String) -> [String]? {
    guard let first = directMembers(group) else { return nil }
    var seen: Set<String> = [group]
    var calls: [String] = []
    var pending = Array(first.reversed())
    while let name = pending.popLast() {
      guard seen.insert(name).inserted else { continue }
      if let nested = directMembers(name) { pending += nested.reversed() } else { calls.append(name) }
    }
    return calls
  }

  /// Returns the direct members of a group, or `nil` if there is no such group.
  private static func directMembers(_ group: String) -> [String]? {
    group.hasPrefix("@") ? SortedLines(text).words(after: group) : nil
  }

  /// Returns the groups from `group` to the one that directly contains a call; empty if the call is not a
  /// member.
  package static func path(from group: String, to call: String) -> [String] {
    var seen: Set<String> = [group]
    var pending = [[group]]
    // Breadth-first search finds a shortest path.
    while !pending.isEmpty {
      let path = pending.removeFirst()
      let members = path.last.flatMap { self.members[$0] } ?? []
      if members.contains(call) { return path }
      pending += members.filter { self.members[$0] != nil && seen.insert($0).inserted }.map { path + [$0] }
    }
    return []
  }
}
