// SPDX-License-Identifier: Apache-2.0

import JSONText
import Policies
import Refusals
import SandboxPolicy
import Testing

/// Checks with the parser and the resolver that a suggested change allows the refused call.
@Suite struct MendTests {
  /// Arguments that are meaningful for most calls.
  static let arguments: [[UInt64]] = [
    [0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6], [0xFFFF_FFFF, 0x4000_0040, 0o7777, 0o7777, 1, 1],
    [0x1000_0011, 0x5412, 7, 0, 0x1000, 0], [UInt64.max, UInt64.max, UInt64.max, UInt64.max, .max, .max],
    [15, 0x5413, 0x41, 0o4755, 0, 0], [1 << 32 | 38, 1 << 32 | 0x541B, 1 << 32 | 5, 0, 0, 0],
  ]

  @Test(arguments: ["base", "capture", "strict"])
  func `what is to be written is a policy, and it allows the call`(_ name: String) throws {
    let policy = try Denied.policy(name)
    var mended = 0
    for call in SystemCallTable.native.numbers.keys.sorted() {
      for arguments in Self.arguments where !policy.allows(call, arguments) {
        let refusal = Refusal(try Denied.call(call, arguments), policy: policy)
        guard let mend = refusal.mend.policy else {
          #expect(refusal.sentence.contains("whatever its policy says"), "\(refusal.sentence)")
          continue
        }
        guard let json = mend.json else { continue }
        let added = json["syscalls"]?["allow"]?.elements ?? []
        let isCopy = mend.place == .copy(of: name)
        let resolved = try isCopy ? Self.copy(policy, adding: added) : Self.resolve(json)
        #expect(resolved.allows(call, arguments), "\(refusal.sentence)")
        #expect(refusal.sentence.contains(json.text(.compact)))
        mended += 1
      }
    }
    // Each shipped policy refuses dozens of calls that another policy could allow.
    #expect(mended > 100, "\(mended)")
  }

  @Test func `what is to be added to a document of one's own allows the call there`() throws {
    var policy = try Self.resolve(["name": "own", "extends": "strict"])
    policy.standing = .document("own.json")
    for (call, arguments) in [("sync", []), ("prctl", [36, 1]), ("mmap", [0, 4096, 7, 0x22])]
      as [(String, [UInt64])]
    {
      let refusal = Refusal(try Denied.call(call, arguments), policy: policy)
      let addition = try #require(refusal.mend.policy?.json?.members, "\(refusal.sentence)")
      let whole = JSONValue.object([.init("name", "own"), .init("extends", "strict")] + addition)
      #expect(try Self.resolve(whole).allows(call, arguments))
    }
  }

  @Test func `a mend allows no more than the call with the argument that decides`() throws {
    let refusal = try Denied.refusal("prctl", [4, 1], policy: "strict")
    let resolved = try Self.resolve(try #require(refusal.mend.policy?.json))
    #expect(resolved.allows("prctl", [4, 0]))
    #expect(!resolved.allows("prctl", [22, 2]))
    let special = try Denied.refusal("fchmod", [3, 0o4755])
    let mended = try Self.resolve(try #require(special.mend.policy?.json))
    #expect(mended.allows("fchmod", [3, 0o4700]) && !mended.allows("fchmod", [3, 0o2700]))
  }

  @Test(arguments: ["fork", "vfork", "memfd_create"])
  func `where a denial stands, a copy of the policy allows the call, and nothing beside it`(call: String)
    throws
  {
    let refusal = try Denied.refusal(call, [0, 0], policy: "strict")
    let mend = try #require(refusal.mend.policy)
    #expect(mend.place == .copy(of: "strict"))
    #expect(mend.text.contains("darkroom policy show strict"))
    let beside = JSONValue.object(
      [.init("name", "my-strict"), .init("extends", "strict")] + (mend.json?.members ?? [])
    )
    #expect(try !Self.resolve(beside).allows(call, [0, 0]))

    let allowed = try #require(mend.json?["syscalls"]?["allow"]?.elements)
    let copy = try Self.copy(try Denied.policy("strict"), adding: allowed)
    #expect(copy.allows(call, [0, 0]))
    #expect(!copy.allows("mount", [0, 0]))
  }

  @Test func `a denial in a document of one's own is to be taken out of it`() throws {
    let document = try PolicyParser.parse(
      #"{"name": "own", "extends": "strict", "syscalls": {"deny": ["read", "fork"]}}"#,
      source: "./own.json"
    )
    var policy = try Denied.library.get().resolve(document)
    policy.standing = .document("./own.json")
    let own = Refusal(try Denied.call("read", [0]), policy: policy)
    #expect(own.mend.policy?.place == .lines([try #require(policy.denials(of: "read").first)]))
    // Two documents deny fork, and one of them is a shipped document.
    let both = Refusal(try Denied.call("fork", []), policy: policy)
    #expect(both.mend.policy?.place == .copy(of: "./own.json"))
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
    return try Denied.library.get().resolve(document)
  }
}
