// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Verifies certificates with a checker in another language that shares no code with the prover.
@Suite(.timeLimit(.minutes(20))) struct CertificateTests {
  /// The path of the checker.
  private static let checker = "\(PackageDirectory.path)/Tests/Rigs/Certificate/check.py"

  /// Runs the checker and expects that it accepts or rejects the certificate.
  private func check(
    _ fixture: CommandFixture,
    accepts: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let words = "python3 '\(Self.checker)' '\(fixture.directory)/c.json' '\(fixture.directory)/f.bpf'"
    try runShell(accepts ? words : "! \(words)", sourceLocation: sourceLocation)
  }

  /// Writes the certificate and the filter of a policy.
  private func certify(_ policy: String) throws -> (
    fixture: CommandFixture, filter: [UInt8], certificate: JSONValue
  ) {
    let fixture = try CommandFixture()
    let result = try fixture.run("policy", "verify", policy, "--certificate", "\(fixture.directory)/c.json")
    #expect(result.code == 0, "\(result.errorOutput)")
    let filter = try PolicyDisassembleCommandTests.raw(policy)
    try fixture.write("f.bpf", filter)
    let bytes = try #require(try FileSystem.contents("\(fixture.directory)/c.json", limit: 1 << 26))
    return (fixture, filter, try JSONNode.parse(bytes, limits: JSONLimits(bytes: 1 << 26, depth: 16)).value)
  }

  @Test(arguments: ["base", "capture", "strict"])
  func `the checker accepts the certificate of a shipped policy`(policy: String) throws {
    let (fixture, _, certificate) = try certify(policy)
    #expect((certificate["claims"]?.elements?.count ?? 0) > 10)
    try check(fixture, accepts: true)
  }

  @Test(arguments: [["-", "-"], ["-", "--policy", "-"]])
  func `rejects standard input for two arguments`(arguments: [String]) throws {
    let result = try CommandResult.run(["policy", "verify"] + arguments, input: #"{"name":"piped"}"#)
    #expect(result.code == 64 && result.errorOutput.contains("only once"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("--policy"), "\(result.errorOutput)")
  }

  @Test func `the checker rejects a certificate with a missing fact`() throws {
    let (fixture, _, certificate) = try certify("strict")
    let facts = try #require(certificate["facts"]?.elements)
    for index in stride(from: 0, to: facts.count, by: 9) where facts[index].elements?.isEmpty == false {
      var changed = facts
      changed[index] = .array(Array((facts[index].elements ?? []).dropLast()))
      var members = certificate.members ?? []
      members.removeAll { $0.name == "facts" }
      members.append(.init("facts", .array(changed)))
      try fixture.write("c.json", JSONValue.object(members).bytes(.compact))
      try check(fixture, accepts: false)
    }
  }

  @Test func `the checker rejects a changed filter, even with its own digest if an invariant is broken`()
    throws
  {
    let (fixture, filter, certificate) = try certify("strict")
    // Replaces each return of an error with a return that allows the call.
    var offsets: [Int] = []
    for offset in stride(from: 0, to: filter.count, by: 8)
    where filter[offset] == 6 && filter[offset + 6] == 5 { offsets.append(offset) }
    var violations = 0
    let text = certificate.text(.compact)
    for offset in offsets {
      var changed = filter
      changed.replaceSubrange(offset + 4..<offset + 8, with: [0, 0, 0xFF, 0x7F])
      try fixture.write("f.bpf", changed)
      try fixture.write("c.json", text)
      try check(fixture, accepts: false)
      // The prover decides which changes break an invariant: a policy may allow some of the refused calls.
      let isProved = try fixture.run("policy", "verify", "\(fixture.directory)/f.bpf").code == 0
      violations += isProved ? 0 : 1
      try runShell(
        """
        cd '\(fixture.directory)'
        digest=$(sha256sum <f.bpf | cut -d ' ' -f 1)
        sed -i "s/sha256:[0-9a-f]*/sha256:$digest/" c.json
        """
      )
      try check(fixture, accepts: isProved)
    }
    #expect(violations > 0)
  }

  @Test func `a filter that violates an invariant gets no certificate`() throws {
    let fixture = try CommandFixture()
    try fixture.write("open.service", "[Service]\nSystemCallFilter=~@mount\n")
    let path = "\(fixture.directory)/c.json"
    let result = try fixture.run(
      "policy",
      "verify",
      "\(fixture.directory)/open.service",
      "--certificate",
      path
    )
    #expect(result.code == 70)
    #expect(try FileSystem.status(path) == nil)
  }
}
