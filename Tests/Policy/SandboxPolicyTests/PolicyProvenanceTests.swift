// SPDX-License-Identifier: Apache-2.0

import JSONText
import SandboxPolicy
import Testing

@Suite struct PolicyProvenanceTests {
  /// Returns the entries of a policy for a key.
  static func entries(_ policy: ResolvedPolicy, _ key: PolicyEntry.Key) -> [PolicyEntry] {
    PolicyProvenance(of: policy)[key]
  }

  @Test func `a rule records the group in the document and the nested group`() throws {
    let policy = try PolicyLibraryTests.child(
      #"{"name":"child","syscalls":{"allow":["@system-service","alarm"],"deny":["@swap","read"]}}"#
    )
    let rule = try #require(policy.rules(for: "write").first)
    #expect(rule.group == "@system-service" && rule.origin.description == "0.json:1:38")
    #expect(rule.groups == ["@system-service", "@basic-io"])
    #expect(policy.rules(for: "umask").first?.groups == ["@system-service"])
    let alarm = try #require(
      Self.entries(policy, .allow).first { $0.groups == ["@system-service", "@timer"] }
    )
    #expect(alarm.value == .rule(try #require(policy.rules(for: "alarm").first)))
    #expect(alarm.shadowed.map(\.origin.description) == ["0.json:1:56"])
    #expect(alarm.shadowed.map(\.reason) == [.repeated])
    let denials = Self.entries(policy, .deny)
    #expect(denials.map(\.value) == [.call("swapoff"), .call("swapon"), .call("read")])
    #expect(denials.map(\.groups) == [["@swap"], ["@swap"], []])
    #expect(denials.last?.shadowed.map(\.groups) == [["@system-service", "@basic-io"]])
    #expect(denials.last?.shadowed.map(\.reason) == [.denied])
  }

  @Test(arguments: CallGroup.members.keys.sorted())
  func `a path of groups leads to every member of a group`(group: String) throws {
    for call in try #require(CallGroup.calls(of: group)) {
      let path = CallGroup.path(from: group, to: call)
      #expect(path.first == group)
      #expect(CallGroup.members[try #require(path.last)]?.contains(call) == true)
      #expect(zip(path, path.dropFirst()).allSatisfy { CallGroup.members[$0]?.contains($1) == true })
    }
    #expect(CallGroup.path(from: group, to: "nothing").isEmpty)
  }

  @Test func `a nearer document overrides others, and the overridden entries are listed with positions`()
    throws
  {
    let policy = try PolicyLibraryTests.child(
      #"{"name":"old","limits":{"processes":5},"scratch":{"size":"1MiB"},"bestEffort":["landlock"]}"#,
      #"{"name":"mid","extends":"old","limits":{"processes":6,"memory":"8MiB"}}"#,
      #"{"name":"child","extends":"mid","limits":{"processes":6},"bestEffort":[],"execute":"once","content":"asWritten"}"#
    )
    let processes = try #require(Self.entries(policy, .limit(.processes)).first)
    #expect(processes.value == .quantity(6) && processes.origin?.source == "2.json")
    #expect(processes.shadowed.map(\.origin.source) == ["1.json", "0.json"])
    #expect(processes.shadowed.map(\.reason) == [.repeated, .overridden])
    #expect(Self.entries(policy, .limit(.memory)).first?.origin?.source == "1.json")
    let time = try #require(Self.entries(policy, .limit(.cpuTime)).first)
    #expect(time.value == .quantity(LimitName.cpuTime.defaultValue) && time.origin == nil)
    #expect(Self.entries(policy, .scratch).first?.origin?.source == "0.json")
    let layers = try #require(Self.entries(policy, .bestEffort).first)
    #expect(layers.value == .layers([]) && layers.shadowed.map(\.value) == [.layers([.landlock])])
    #expect(Self.entries(policy, .execute).first?.value == .execute(.once))
    let content = try #require(Self.entries(policy, .content).first)
    #expect(content.value == .content(.asWritten) && content.origin?.source == "2.json")
  }

  @Test func `a rule covers narrower ones, and a required path an optional one`() throws {
    let policy = try PolicyLibraryTests.child(
      #"{"name":"old","readOnly":[{"path":"/opt/x","optional":true}],"devices":["/dev/null"],"# + "\n"
        + #""syscalls":{"allow":[{"call":"fcntl","arguments":[{"index":1,"equals":1}]}]}}"#,
      #"{"name":"child","extends":"old","readOnly":["/opt/x"],"devices":["/dev/null"],"# + "\n"
        + #""syscalls":{"allow":["fcntl"]}}"#
    )
    let rules = Self.entries(policy, .allow)
    #expect(rules.map(\.origin?.source) == ["0.json", "1.json"])
    #expect(rules[0].shadowed.isEmpty)
    #expect(rules[1].shadowed.map(\.reason) == [.covered])
    let path = try #require(Self.entries(policy, .readOnly).first)
    #expect(path.origin?.source == "1.json" && path.shadowed.map(\.reason) == [.required])
    #expect(Self.entries(policy, .devices).first?.shadowed.map(\.origin.source) == ["1.json"])
  }

  @Test(arguments: ShippedPoliciesTests.names)
  func `the provenance has the values of the flattened document`(name: String) throws {
    let policy = try ShippedPoliciesTests.policy(name)
    let json = PolicyProvenance(of: policy).json(of: policy)
    func values(_ path: String...) -> Set<JSONValue> {
      Set(path.reduce(json) { $0[$1] ?? .null }.elements?.compactMap { $0["value"] } ?? [])
    }
    #expect(values("syscalls", "allow") == Set(policy.flattened["syscalls"]?["allow"]?.elements ?? []))
    for key in ["readOnly", "devices"] {
      #expect(values(key) == Set(policy.flattened[key]?.elements ?? []))
    }
    for limit in LimitName.allCases {
      #expect(json["limits"]?[limit.rawValue]?["value"] == policy.flattened["limits"]?[limit.rawValue])
    }
    for key in ["bestEffort", "execute", "content"] { #expect(json[key]?["value"] == policy.flattened[key]) }
    #expect(json["scratch"]?["size"]?["value"] == policy.flattened["scratch"]?["size"])
    let origins = (json["syscalls"]?["allow"]?.elements ?? []).map { $0["origin"]?.string }
    #expect(!origins.contains(nil) && origins.allSatisfy { $0?.contains(".json:") == true })
  }
}
