// SPDX-License-Identifier: Apache-2.0

import JSONText
import Policies
import Refusals
import SandboxPolicy
import Testing

/// Checks with the parser and the resolver that a suggested change allows the refused call.
@Suite struct FixTests {
  /// Arguments that are meaningful for most calls.
  static let arguments: [[UInt64]] = [
    [0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6], [0xFFFF_FFFF, 0x4000_0040, 0o7777, 0o7777, 1, 1],
    [0x1000_0011, 0x5412, 7, 0, 0x1000, 0], [UInt64.max, UInt64.max, UInt64.max, UInt64.max, .max, .max],
    [15, 0x5413, 0x41, 0o4755, 0, 0], [1 << 32 | 38, 1 << 32 | 0x541B, 1 << 32 | 5, 0, 0, 0],
  ]

  @Test(arguments: ["base", "capture", "strict"])
  func `the suggested policy is valid and allows the call`(_ name: String) throws {
    let policy = try RefusalFixture.policy(name)
    var mended = 0
    for call in SystemCallTable.native.numbers.keys.sorted() {
      for arguments in Self.arguments where !policy.allows(call, arguments) {
        let refusal = Refusal(try RefusalFixture.call(call, arguments), policy: policy)
        guard let fix = refusal.fix.policy else {
          #expect(refusal.sentence.contains("whatever its policy allows"), "\(refusal.sentence)")
          continue
        }
        guard let json = fix.json else { continue }
        let added = json["syscalls"]?["allow"]?.elements ?? []
        let isCopy = fix.target == .copy(of: name)
        let resolved = try isCopy ? Self.copy(policy, adding: added) : Self.resolve(json)
        #expect(resolved.allows(call, arguments), "\(refusal.sentence)")
        #expect(refusal.sentence.contains(json.text(.compact)))
        mended += 1
      }
    }
    // Each shipped policy refuses dozens of calls that another policy could allow.
    #expect(mended > 100, "\(mended)")
  }

  @Test func `the suggested addition to a custom document allows the call`() throws {
    var policy = try Self.resolve(["name": "own", "extends": "strict"])
    policy.extensibility = .document("own.json")
    for (call, arguments) in [("sync", []), ("prctl", [36, 1]), ("mmap", [0, 4096, 7, 0x22])]
      as [(String, [UInt64])]
    {
      let refusal = Refusal(try RefusalFixture.call(call, arguments), policy: policy)
      let addition = try #require(refusal.fix.policy?.json?.members, "\(refusal.sentence)")
      let whole = JSONValue.object([.init("name", "own"), .init("extends", "strict")] + addition)
      #expect(try Self.resolve(whole).allows(call, arguments))
    }
  }

  @Test func `a fix allows only the call with the deciding argument`() throws {
    let refusal = try RefusalFixture.refusal("prctl", [4, 1], policy: "strict")
    let resolved = try Self.resolve(try #require(refusal.fix.policy?.json))
    #expect(resolved.allows("prctl", [4, 0]))
    #expect(!resolved.allows("prctl", [22, 2]))
    let special = try RefusalFixture.refusal("fchmod", [3, 0o4755])
    let mended = try Self.resolve(try #require(special.fix.policy?.json))
    #expect(mended.allows("fchmod", [3, 0o4700]) && !mended.allows("fchmod", [3, 0o2700]))
  }

  @Test(arguments: ["fork", "vfork", "memfd_create"])
  func `the fix for a denied call is a copy of the policy that allows only this call`(call: String)
    throws
  {
    let refusal = try RefusalFixture.refusal(call, [0, 0], policy: "strict")
    let fix = try #require(refusal.fix.policy)
    #expect(fix.target == .copy(of: "strict"))
    #expect(fix.text.contains("darkroom policy show strict"))
    let beside = JSONValue.object(
      [.init("name", "my-strict"), .init("extends", "strict")] + (fix.json?.members ?? [])
    )
    #expect(try !Self.resolve(beside).allows(call, [0, 0]))

    let allowed = try #require(fix.json?["syscalls"]?["allow"]?.elements)
    let copy = try Self.copy(try RefusalFixture.policy("strict"), adding: allowed)
    #expect(copy.allows(call, [0, 0]))
    #expect(!copy.allows("mount", [0, 0]))
  }

  @Test func `the fix for a denial in a custom document removes the denial`() throws {
    let document = try PolicyParser.parse(
      #"{"name": "own", "extends": "strict", "syscalls": {"deny": ["read", "fork"]}}"#,
      source: "./own.json"
    )
    var policy = try RefusalFixture.library.get().resolve(document)
    policy.extensibility = .document("./own.json")
    let own = Refusal(try RefusalFixture.call("read", [0]), policy: policy)
    #expect(own.fix.policy?.target == .lines([try #require(policy.denials(of: "read").first)]))
    #expect(own.fix.policy?.json == nil)
    // Two documents deny fork, and one of them is a shipped document.
    let both = Refusal(try RefusalFixture.call("fork", []), policy: policy)
    #expect(both.fix.policy?.target == .copy(of: "./own.json"))
  }

  @Test func `the fix for a denial of a call without a rule also allows the call`() throws {
    let document = try PolicyParser.parse(
      #"{"name": "own", "extends": "strict", "syscalls": {"deny": ["sync"]}}"#,
      source: "./own.json"
    )
    var policy = try RefusalFixture.library.get().resolve(document)
    policy.extensibility = .document("./own.json")
    let refusal = Refusal(try RefusalFixture.call("sync", []), policy: policy)
    #expect(refusal.fix.policy?.target == .lines([try #require(policy.denials(of: "sync").first)]))
    #expect(refusal.fix.policy?.json?["syscalls"] == ["allow": ["sync"]])
    #expect(refusal.fix.json["policy"]?["add"]?["syscalls"] == ["allow": ["sync"]])
    #expect(refusal.fix.text.hasSuffix(#" and add {"syscalls":{"allow":["sync"]}}"#))
  }

  /// Returns a policy as printed by `darkroom policy show`, with additional allowed calls.
  private static func copy(_ policy: ResolvedPolicy, adding rules: [JSONValue]) throws -> ResolvedPolicy {
    let members = policy.flattened.members?.map { member in
      guard member.name == "syscalls" else { return member }
      let allowed = (member.value["allow"]?.elements ?? []) + rules
      return JSONValue.Member("syscalls", .object([.init("allow", .array(allowed))]))
    }
    return try resolve(.object(members ?? []))
  }

  /// Returns the parsed and resolved policy of a document.
  private static func resolve(_ json: JSONValue) throws -> ResolvedPolicy {
    let document = try PolicyParser.parse(json.text(.indented), source: "mine.json")
    return try RefusalFixture.library.get().resolve(document)
  }
}
