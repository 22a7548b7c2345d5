// SPDX-License-Identifier: Apache-2.0

import JSONText
import Policies
import SandboxPolicy
import Testing

@Suite struct ShippedPoliciesTests {
  static let names = ["base", "capture", "container", "strict"]

  /// Returns a shipped policy.
  static func policy(_ name: String) throws -> ResolvedPolicy {
    try #require(try PolicyLibrary(texts: ShippedPolicies.texts).policy(named: name))
  }

  @Test func `each policy is named after its file and has a description`() throws {
    for (source, text) in ShippedPolicies.texts {
      let document = try PolicyParser.parse(text, source: source)
      #expect(source == "\(document.name.value).json")
      #expect(document.description.hasSuffix("."))
    }
    #expect(try PolicyLibrary(texts: ShippedPolicies.texts).names == Self.names)
    #expect(Self.names.contains(ShippedPolicies.defaultName))
  }

  @Test(arguments: names)
  func `no shipped policy allows creating links, special files or attributes`(name: String) throws {
    let forbidden = [
      "link", "linkat", "symlink", "symlinkat", "mknod", "mknodat", "setxattr", "lsetxattr", "fsetxattr",
      "setxattrat", "removexattr", "capset", "setuid", "setgroups",
      "openat2",
    ]
    let allowed = Set(try Self.policy(name).calls.map(\.call))
    #expect(allowed.isDisjoint(with: forbidden))
    #expect(allowed.isDisjoint(with: PolicyCore.area.keys))
    #expect(
      allowed.isSuperset(of: ["read", "write", "exit_group", "rt_sigreturn", "restart_syscall", "futex"])
    )
  }

  @Test(arguments: names)
  func `only clocks are best effort, except in containers, and every limit is set`(name: String) throws {
    let policy = try Self.policy(name)
    #expect(policy.bestEffort.contains(.timeNamespace))
    #expect(policy.bestEffort.subtracting([.timeNamespace]) == (name == "container" ? [.userNamespace] : []))
    #expect(Set(policy.limits.explicit.keys) == Set(LimitName.allCases))
    // The free space check does not read the policies.
    #expect(policy.limits.freeReserve == 0)
  }

  @Test func `container differs from capture only in its optional layers`() throws {
    var container = try Self.policy("container")
    let capture = try Self.policy("capture")
    #expect(container.chain == ["container", "capture", "base"])
    container.bestEffort = capture.bestEffort
    #expect(container.flattened["syscalls"] == capture.flattened["syscalls"])
    #expect(container.flattened["limits"] == capture.flattened["limits"])
    #expect(container.flattened["readOnly"] == capture.flattened["readOnly"])
  }

  @Test func `strict shows no host files and allows fewer calls and one program`() throws {
    let (strict, base) = (try Self.policy("strict"), try Self.policy("base"))
    #expect(strict.readOnly.isEmpty && strict.execute == .once)
    #expect(strict.chain == ["strict"])
    #expect(Set(strict.calls.map(\.call)).isStrictSubset(of: Set(base.calls.map(\.call))))
    #expect(strict.rules(for: "memfd_create").isEmpty)
  }

  /// Returns the keys of the object in the schema at a path of JSON keys.
  static func schemaKeys(_ path: [String]) throws -> Set<String> {
    var node = try JSONNode.parse(ShippedPolicies.schema).value
    for name in path { node = try #require(node[name], "\(path)") }
    #expect(node["additionalProperties"] == .bool(false))
    return Set(try #require(node["properties"]?.members).map(\.name))
  }

  /// Returns the keys that the parser reads.
  static func keys<Key: CaseIterable & RawRepresentable<String>>(_: Key.Type) -> Set<String> {
    Set(Key.allCases.map(\.rawValue))
  }

  @Test func `the published schema has the keys of the parser`() throws {
    let top = ["properties"]
    #expect(try Self.schemaKeys([]) == Self.keys(PolicyKeys.Document.self))
    #expect(try Self.schemaKeys(top + ["syscalls"]) == Self.keys(PolicyKeys.Syscalls.self))
    #expect(try Self.schemaKeys(top + ["scratch"]) == Self.keys(PolicyKeys.Scratch.self))
    #expect(try Self.schemaKeys(top + ["limits"]) == Self.keys(LimitName.self))
    #expect(try Self.schemaKeys(["$defs", "rule"]) == Self.keys(PolicyKeys.Rule.self))
    let justification = top + ["justifications", "items"]
    #expect(try Self.schemaKeys(justification) == Self.keys(PolicyKeys.Justification.self))
    let argument = ["$defs", "rule", "properties", "arguments", "items"]
    #expect(try Self.schemaKeys(argument) == Self.keys(PolicyKeys.Argument.self))
  }

  @Test func `the published schema has the keywords and limits of the parser`() throws {
    let schema = try JSONNode.parse(ShippedPolicies.schema).value
    let properties = try #require(schema["properties"])
    func words(_ node: JSONValue?) -> Set<String> {
      Set((node?["enum"]?.elements ?? []).compactMap(\.string))
    }
    #expect(words(properties["execute"]) == Self.keys(ExecutePermission.self))
    #expect(words(properties["content"]) == Self.keys(ContentForm.self))
    #expect(words(properties["devices"]?["items"]) == GrantablePaths.devices)
    #expect(words(properties["bestEffort"]?["items"]) == Set(Layer.optional.map(\.rawValue)))
    #expect(words(properties["acceptSingleMechanism"]?["items"]) == Self.keys(DeniedAccess.self))
    for name in LimitName.allCases where name.unit == .count {
      let limit = properties["limits"]?["properties"]?[name.rawValue]
      #expect(limit?["minimum"]?.integer == Int64(name.range.lowerBound))
      #expect(limit?["maximum"]?.integer == Int64(name.range.upperBound))
      #expect(limit?["default"]?.integer == Int64(name.defaultValue))
    }
    let path = properties["readOnly"]?["items"]?["anyOf"]?.elements?.last
    #expect(Set(path?["properties"]?.members?.map(\.name) ?? []) == Self.keys(PolicyKeys.Path.self))
  }
}
