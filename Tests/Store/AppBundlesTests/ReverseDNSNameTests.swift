// SPDX-License-Identifier: Apache-2.0

import AppBundles
import Testing

@Suite struct ReverseDNSNameTests {
  @Test(arguments: ["org.example", "a.b", "org.ex-ample.c4m", "o.\(String(repeating: "x", count: 63))"])
  func `accepts valid reverse DNS names`(name: String) {
    #expect(ReverseDNSName.problem(with: name) == nil)
  }

  @Test(arguments: [
    ("camera", IdentifierProblem.oneLabel),
    ("", .emptyLabel),
    (".org.example", .emptyLabel),
    ("org..example", .emptyLabel),
    ("org.example.", .emptyLabel),
    ("org.Example", .badCharacter("E")),
    ("org.exa_mple", .badCharacter("_")),
    ("org/example.x", .badCharacter("/")),
    ("org.exämple", .badCharacter("ä")),
    ("org.7zip", .badEnd(label: "7zip")),
    ("org.-x", .badEnd(label: "-x")),
    ("org.x-", .badEnd(label: "x-")),
    ("org.\(String(repeating: "x", count: 64))", .labelTooLong(String(repeating: "x", count: 64))),
    (Array(repeating: "abcdefg", count: 33).joined(separator: "."), .tooLong),
  ])
  func `rejects invalid reverse DNS names with the reason`(name: String, problem: IdentifierProblem) {
    #expect(ReverseDNSName.problem(with: name) == problem)
  }
}
