// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SandboxPolicy

@Suite struct TableTextTests {
  @Test(arguments: [CallGroup.text, SystemCallTable.text].map(\.description))
  func `each table is sorted by bytes and has unique names`(text: String) {
    let names = text.split(separator: "\n").map { $0.prefix { $0 != " " }.utf8 }
    #expect(names.count > 20)
    for (name, next) in zip(names, names.dropFirst()) {
      #expect(name.lexicographicallyPrecedes(next), "\(Substring(name)) before \(Substring(next))")
    }
  }

  @Test func `finds exactly the calls of the table with their numbers`() {
    for name in SystemCallTable.allNames {
      #expect(SystemCallTable.contains(name))
      #expect(SystemCallTable.number(of: name) == SystemCallTable.native.numbers[name], "\(name)")
    }
    for name in ["", "a", "accept 43", "zzz", "_", "read\n", "43", "ACCEPT"] {
      #expect(!SystemCallTable.contains(name) && SystemCallTable.number(of: name) == nil)
    }
  }

  /// Returns the calls of a group from the table of all groups.
  private static func calls(_ group: String) -> Set<String> {
    (CallGroup.members[group] ?? []).reduce(into: []) { calls, member in
      calls.formUnion(CallGroup.members[member] == nil ? [member] : Self.calls(member))
    }
  }

  @Test(arguments: CallGroup.members.keys.sorted())
  func `a single group lookup agrees with the table of all groups`(group: String) throws {
    let found = try #require(CallGroup.calls(of: group))
    #expect(Set(found) == Self.calls(group))
    #expect(CallGroup.calls(of: "\(group) read") == nil)
  }
}
