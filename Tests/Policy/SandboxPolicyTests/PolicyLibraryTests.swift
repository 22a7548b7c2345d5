// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import Testing

@Suite struct PolicyLibraryTests {
  /// Returns a library of documents with the names `0.json`, `1.json`, ….
  static func library(_ texts: String...) throws -> PolicyLibrary {
    try PolicyLibrary(texts: texts.enumerated().map { ("\($0).json", Array($1.utf8)) })
  }

  /// Returns the policy `child` of a library.
  static func child(_ texts: String...) throws -> ResolvedPolicy {
    let library = try PolicyLibrary(texts: texts.enumerated().map { ("\($0).json", Array($1.utf8)) })
    return try #require(try library.policy(named: "child"))
  }

  @Test func `a child adds to its parent, and each entry keeps its position`() throws {
    let policy = try Self.child(
      #"{"name":"parent","syscalls":{"allow":["read"]},"readOnly":["/usr"],"devices":["/dev/null"]}"#,
      #"{"name":"child","extends":"parent","syscalls":{"allow":["write"]},"readOnly":["/opt/x"]}"#
    )
    #expect(policy.chain == ["child", "parent"])
    #expect(policy.calls.map(\.call) == ["read", "write", "execve", "execveat"])
    #expect(policy.calls.first?.origin.description == "0.json:1:39")
    #expect(policy.calls[1].origin.description == "1.json:1:57")
    #expect(policy.readOnly.map(\.path) == ["/usr", "/opt/x"])
    #expect(policy.devices.map(\.value) == ["/dev/null"])
  }

  @Test(arguments: [("", "write"), ("write", "")])
  func `a denial wins in every document`(parent: String, child: String) throws {
    func list(_ name: String) -> String { name.isEmpty ? "[]" : #"["\#(name)"]"# }
    let policy = try Self.child(
      #"{"name":"parent","syscalls":{"allow":["read","write"],"deny":\#(list(parent))}}"#,
      #"{"name":"child","extends":"parent","syscalls":{"allow":["write"],"deny":\#(list(child))}}"#
    )
    #expect(policy.rules(for: "write").isEmpty)
    #expect(policy.rules(for: "read").count == 1)
  }

  @Test func `the nearest document decides sizes, limits, layers, execution and content`() throws {
    let policy = try Self.child(
      #"{"name":"parent","scratch":{"size":"1MiB"},"limits":{"processes":5,"memory":"8MiB"},"execute":"once","content":"asWritten"}"#,
      #"{"name":"child","extends":"parent","limits":{"processes":7},"bestEffort":["landlock"],"execute":"any"}"#
    )
    #expect(policy.scratchBytes == 1 << 20)
    #expect(policy.limits.processes == 7 && policy.limits.memory == 8 << 20)
    #expect(policy.limits.descriptors == LimitName.descriptors.defaultValue)
    #expect(policy.limits.explicit[.processes]?.origin.source == "1.json")
    #expect(policy.bestEffort == [.landlock] && policy.execute == .any && policy.content == .asWritten)
    let portable = try Self.child(
      #"{"name":"parent","content":"asWritten"}"#,
      #"{"name":"child","extends":"parent","content":"portable"}"#
    )
    #expect(portable.content == .portable)
    #expect(try Self.child(#"{"name":"child"}"#).content == .portable)
  }

  @Test func `an execute once program starts from a descriptor beyond the descriptor limit`() throws {
    let policy = try Self.child(#"{"name":"child","limits":{"descriptors":64},"execute":"once"}"#)
    #expect(policy.rules(for: "execve").isEmpty)
    #expect(
      policy.rules(for: "execveat").map(\.conditions) == [
        [ArgumentCondition(index: 0, value: 64), ArgumentCondition(index: 4, value: 0x1000)]
      ]
    )
  }

  @Test func `a denied group does not prevent the start of the program`() throws {
    let policy = try Self.child(#"{"name":"child","syscalls":{"deny":["@process","@default"]}}"#)
    #expect(policy.calls.map(\.call) == ["execve", "execveat"])
  }

  @Test func `reports a missing parent policy with its position`() throws {
    let library = try Self.library(#"{"name":"base"}"#, #"{"name":"child","extends":"bsae"}"#)
    let error = #expect(throws: PolicyDiagnostics.self) { try library.policy(named: "child") }
    #expect(
      error?.description == #"1.json:1:27: extends: unknown policy "bsae"; did you mean "base"?"#
    )
  }

  @Test func `rejects policies that extend each other`() throws {
    let library = try Self.library(#"{"name":"a","extends":"b"}"#, #"{"name":"b","extends":"a"}"#)
    let error = #expect(throws: PolicyDiagnostics.self) { try library.policy(named: "a") }
    #expect(error?.description.contains("the policy extends itself: a -> b -> a") == true)
  }

  @Test func `reports the errors of all documents together`() {
    let error = #expect(throws: PolicyDiagnostics.self) {
      try Self.library("{}", "[", #"{"name":"x","y":1}"#)
    }
    #expect(error?.all.map(\.origin.source) == ["0.json", "1.json", "2.json"])
  }
}
