// SPDX-License-Identifier: Apache-2.0

import PolicyLint
import SandboxPolicy
import Testing

/// Finds unreachable rules and ineffective denials.
@Suite struct CoverageTests {
  /// Returns the unreachable rules of a list of calls as `element: subject`.
  private static func unreachable(_ allow: String, deny: String = "") throws -> [String] {
    let members = #""syscalls":{"allow":[\#(allow)],"deny":[\#(deny)]}"#
    return try LintFixture.findings(of: "DR2001", in: members).map { "\($0.keyPath): \($0.subject)" }
  }

  /// Returns an argument rule as JSON.
  private static func call(_ name: String, _ conditions: (Int, String, String)...) -> String {
    let arguments = conditions.map { #"{"index":\#($0.0),"mask":"\#($0.1)","equals":"\#($0.2)"}"# }
    return #"{"call":"\#(name)","arguments":[\#(arguments.joined(separator: ","))]}"#
  }

  @Test func `a rule next to the whole call is unreachable in either order`() throws {
    let narrow = Self.call("fcntl", (1, "0xffffffff", "1"))
    #expect(try Self.unreachable(#"\#(narrow),"fcntl""#) == ["syscalls.allow[0]: fcntl"])
    #expect(try Self.unreachable(#""fcntl",\#(narrow)"#) == ["syscalls.allow[1]: fcntl"])
    #expect(try Self.unreachable(#""read","@basic-io","write""#).count == 2)
    #expect(try Self.unreachable(narrow).isEmpty)
  }

  @Test func `a rule within a wider mask is unreachable, and an overlapping rule is not`() throws {
    let wide = Self.call("fcntl", (1, "0xffffffc0", "0"))
    #expect(
      try Self.unreachable(wide + "," + Self.call("fcntl", (1, "0xffffffff", "9"))) == [
        "syscalls.allow[1]: fcntl"
      ]
    )
    #expect(try Self.unreachable(wide + "," + Self.call("fcntl", (1, "0xffffffff", "0x40"))).isEmpty)
    #expect(
      try Self.unreachable(wide + "," + Self.call("fcntl", (1, "0xffffff80", "0"))) == [
        "syscalls.allow[0]: fcntl"
      ]
    )
    #expect(try Self.unreachable(wide + "," + Self.call("fcntl", (2, "0xffffffff", "9"))).isEmpty)
  }

  @Test func `a rule that several others cover together is unreachable`() throws {
    let halves = Self.call("fcntl", (1, "1", "0")) + "," + Self.call("fcntl", (1, "1", "1"))
    let findings = try Self.unreachable(halves + "," + Self.call("fcntl", (2, "0xff", "7")))
    #expect(findings == ["syscalls.allow[2]: fcntl"])
    // All values of three bits except one.
    let seven = (0..<7).map { Self.call("fcntl", (1, "7", "\($0)")) }.joined(separator: ",")
    #expect(try Self.unreachable(seven + "," + Self.call("fcntl", (2, "1", "1"))).isEmpty)
    let eight = seven + "," + Self.call("fcntl", (1, "7", "7"))
    #expect(
      try Self.unreachable(eight + "," + Self.call("fcntl", (2, "1", "1"))) == ["syscalls.allow[8]: fcntl"]
    )
  }

  @Test func `never reports all of a set of equal rules`() throws {
    let same = Self.call("fcntl", (1, "1", "0")) + "," + Self.call("fcntl", (1, "0x1", "0"))
    #expect(try Self.unreachable(same) == ["syscalls.allow[1]: fcntl"])
  }

  @Test func `an addition in a child does not make rules of its parent unreachable`() throws {
    let narrow = Self.call("fcntl", (1, "1", "0"))
    let parent = #"{"name":"parent","description":"A.","syscalls":{"allow":[\#(narrow)]}}"#
    let child = #"{"name":"child","description":"A.","extends":"parent","syscalls":{"allow":["fcntl"]}}"#
    #expect(try LintFixture.findings(child, parent).filter { $0.rule.id == "DR2001" }.isEmpty)
    let repeating =
      #"{"name":"child","description":"A.","extends":"parent","syscalls":{"allow":[\#(narrow)]}}"#
    let findings = try LintFixture.findings(repeating, parent).filter { $0.rule.id == "DR2001" }
    #expect(findings.map(\.origin.source) == ["0.json"])
    #expect(findings.first?.message.contains("1.json:1:") == true)
  }

  @Test func `coverage of random rules agrees with exhaustive evaluation`() throws {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<120 {
      let rules = (0..<4).map { _ in
        (0..<2).map { index in
          let mask = UInt32.random(in: 0...3, using: &generator)
          return (index, mask, UInt32.random(in: 0...3, using: &generator) & mask)
        }
      }
      let texts = rules.map { conditions in
        Self.call(
          "fcntl",
          (0, "\(conditions[0].1)", "\(conditions[0].2)"),
          (1, "\(conditions[1].1)", "\(conditions[1].2)")
        )
      }
      let unreachable = Set(
        try Self.unreachable(texts.joined(separator: ",")).map { String($0.dropFirst(15).prefix(1)) }
      )
      func allowed(_ indices: some Sequence<Int>, _ a: UInt32, _ b: UInt32) -> Bool {
        indices.contains { a & rules[$0][0].1 == rules[$0][0].2 && b & rules[$0][1].1 == rules[$0][1].2 }
      }
      let kept = (0..<4).filter { !unreachable.contains("\($0)") }
      for a in UInt32(0)...3 {
        for b in UInt32(0)...3 { #expect(allowed(0..<4, a, b) == allowed(kept, a, b), "\(texts)") }
      }
      // Each remaining rule is necessary.
      for one in kept {
        let others = kept.filter { $0 != one }
        let isNeeded = (UInt32(0)...3).contains { a in
          (UInt32(0)...3).contains { b in allowed(kept, a, b) != allowed(others, a, b) }
        }
        #expect(isNeeded, "\(texts)")
      }
    }
  }

  @Test func `reports an allowed and denied call where it is allowed`() throws {
    let same = try LintFixture.findings(of: "DR2002", in: #""syscalls":{"allow":["kill"],"deny":["kill"]}"#)
    #expect(same.map(\.keyPath) == ["syscalls.allow[0]"])
    // This is the usual way to exclude one member of a group.
    #expect(
      try LintFixture.findings(of: "DR2002", in: #""syscalls":{"allow":["@signal"],"deny":["signalfd"]}"#)
        .isEmpty
    )
    let whole = try LintFixture.findings(
      of: "DR2002",
      in: #""syscalls":{"allow":["@signal"],"deny":["@signal"]}"#
    )
    #expect(whole.map(\.subject) == ["@signal"])
    let child = #"{"name":"child","description":"A.","extends":"strict","syscalls":{"allow":["fork"]}}"#
    let found = try LintFixture.findings(child).filter { $0.rule.id == "DR2002" }
    #expect(found.map(\.subject) == ["fork"] && found.first?.message.contains("strict.json:") == true)
    // A child may deny what its parent allows.
    let stricter = #"{"name":"child","description":"A.","extends":"base","syscalls":{"deny":["fork"]}}"#
    #expect(
      try LintFixture.findings(stricter).allSatisfy { $0.rule.id != "DR2002" && $0.rule.id != "DR2003" }
    )
  }

  @Test func `reports a denial of a call that nothing allows`() throws {
    #expect(
      try LintFixture.findings(of: "DR2003", in: #""syscalls":{"deny":["kill"]}"#).map(\.subject) == ["kill"]
    )
    let group = try LintFixture.findings(
      of: "DR2003",
      in: #""syscalls":{"allow":["read"],"deny":["@swap","@basic-io"]}"#
    )
    #expect(group.map(\.subject) == ["@swap"])
  }
}
