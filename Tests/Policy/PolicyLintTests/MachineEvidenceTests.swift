// SPDX-License-Identifier: Apache-2.0

import PolicyLint
import SandboxPolicy
import Testing

/// Finds problems with evidence from a machine.
@Suite struct MachineEvidenceTests {
  /// Returns the evidence of a machine with one path.
  private static func machine(_ path: String, _ facts: PathFacts, homes: Set<String> = []) -> MachineEvidence
  {
    MachineEvidence(files: FileFacts(paths: [path: facts], homes: homes))
  }

  /// Returns the rules of file findings about the given paths.
  private static func rules(_ machine: MachineEvidence, _ path: String = #""/opt/a""#) throws -> [String] {
    try LintFixture.findings(#"{"name":"own","description":"A.","readOnly":[\#(path)]}"#, machine: machine)
      .filter { $0.rule.evidence == .files }.map(\.rule.id)
  }

  @Test(arguments: [
    (FileFinding.Kind.socket, "DR3102"), (.fifo, "DR3102"), (.device, "DR3103"),
    (.writableByOthers, "DR3104"),
    (.setID, "DR3105"), (.unreadable, "DR3106"), (.secret, "DR3108"),
  ])
  func `finds sockets, devices, writable files and other risks below shown paths`(
    kind: FileFinding.Kind,
    rule: String
  ) throws {
    let facts = PathFacts(findings: [FileFinding(kind, "/opt/a/b")], counts: [kind: 5])
    #expect(try Self.rules(Self.machine("/opt/a", facts)) == [rule])
    #expect(try Self.rules(Self.machine("/opt/a", PathFacts())).isEmpty)
    let findings = try LintFixture.findings(
      #"{"name":"own","description":"A.","readOnly":["/opt/a"]}"#,
      machine: Self.machine("/opt/a", facts)
    )
    let message = try #require(findings.first { $0.rule.id == rule }?.message)
    #expect(message.contains(kind == .unreadable ? "5 directories" : "/opt/a/b and 4 more"), "\(message)")
  }

  @Test func `finds a missing required path and ignores a missing optional one`() throws {
    let elsewhere = Self.machine("/opt/b", PathFacts())
    #expect(try Self.rules(elsewhere) == ["DR3101"])
    #expect(try Self.rules(elsewhere, #"{"path":"/opt/a","optional":true}"#).isEmpty)
    #expect(try Self.rules(.unknown).isEmpty)
  }

  @Test func `finds an incomplete search and home directories of users`() throws {
    #expect(
      try Self.rules(Self.machine("/opt/a", PathFacts(examinedEntries: 7, isComplete: false))) == ["DR3106"]
    )
    #expect(try Self.rules(Self.machine("/opt/a", PathFacts(), homes: ["/opt/a/ada"])) == ["DR3107"])
    #expect(try Self.rules(Self.machine("/opt/a", PathFacts(), homes: ["/opt"])) == ["DR3107"])
    #expect(try Self.rules(Self.machine("/opt/a", PathFacts(), homes: ["/opt/ab"])).isEmpty)
  }

  @Test func `finds calls that the library or the kernel does not know`() throws {
    let members = #""syscalls":{"allow":["read","mseal"]}"#
    let library = MachineEvidence.Library(version: "2.5.4", calls: ["read", "execve", "execveat"])
    let old = MachineEvidence(library: library, kernel: KernelVersion("6.9"))
    #expect(try LintFixture.findings(of: "DR0102", in: members, machine: old).map(\.subject) == ["mseal"])
    #expect(try LintFixture.findings(of: "DR0103", in: members, machine: old).map(\.subject) == ["mseal"])
    let new = MachineEvidence(kernel: KernelVersion(release: "6.10.0-rc1-amd64"))
    #expect(try LintFixture.findings(of: "DR0103", in: members, machine: new).isEmpty)
    #expect(try LintFixture.findings(of: "DR0102", in: members, machine: new).isEmpty)
  }
}
