// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

@Suite(.timeLimit(.minutes(20))) struct PolicyDiffCommandTests {
  /// Returns a policy that extends strict with the given calls.
  static func document(_ calls: String, more: String = "") -> String {
    """
    {
      "name": "other",
      "description": "Strict, and a little more.",
      "extends": "strict",
      "syscalls": { "allow": [\(calls)] }\(more.isEmpty ? "" : ",\n  \(more)")
    }
    """
  }

  @Test func `finds a planted weakness with a witness call`() throws {
    let fixture = try CommandFixture()
    try fixture.write(
      "other.json",
      Self.document(#"{ "call": "ioctl", "arguments": [{ "index": 1, "equals": "TIOCOUTQ" }] }, "flock""#)
    )
    let other = "\(fixture.directory)/other.json"
    let result = try fixture.run("policy", "diff", "strict", other, "--fail-if-weaker")
    #expect(result.code == 1 && result.errorOutput.isEmpty)
    #expect(result.lines.contains("NEW allows, OLD does not:"))
    #expect(result.lines.contains("  ERRNO(EPERM) -> ALLOW (2):"))
    #expect(result.lines.contains("    flock  e.g. x86_64 flock(0, 0)") || !result.output.contains("x86_64"))
    #expect(
      result.output.contains("ioctl(0, TIOCOUTQ, NULL)") && result.output.contains("when request is TIOCOUTQ")
    )
    let back = try fixture.run("policy", "diff", other, "strict", "--fail-if-weaker")
    #expect(back.code == 0 && back.output.contains("NEW allows no call that OLD does not (proved)."))
    #expect(back.output.contains("OLD allows, NEW does not:"))
  }

  @Test func `finds weaker paths, limits and content rules`() throws {
    let fixture = try CommandFixture()
    let more = #""readOnly": ["/usr/share/fonts"], "limits": { "processes": 33 }, "content": "asWritten""#
    try fixture.write("other.json", Self.document("", more: more))
    let result = try fixture.run(
      "policy",
      "diff",
      "strict",
      "\(fixture.directory)/other.json",
      "--fail-if-weaker"
    )
    #expect(result.code == 1)
    #expect(
      result.output.contains(
        "Equal filters: both give the same answer for every architecture, number and argument"
      )
    )
    let rows = result.lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(rows.contains("limit processes 32 33 weaker"))
    #expect(rows.contains("content portable asWritten weaker"))
    #expect(rows.contains("readOnly /usr/share/fonts hidden shown weaker"))
    let back = try fixture.run(
      "policy",
      "diff",
      "\(fixture.directory)/other.json",
      "strict",
      "--fail-if-weaker"
    )
    #expect(back.code == 0)
  }

  @Test func `a raw filter file is equal to its policy`() throws {
    let fixture = try CommandFixture()
    let program = try Self.compiledFilter("capture", in: fixture)
    let result = try fixture.run("policy", "diff", "capture", program, "--fail-if-weaker")
    #expect(result.code == 0 && result.output.contains("(proved)"))
    #expect(result.lines.last == "Only system calls were compared, because not both inputs are policies.")
  }

  @Test func `finds a filter that allows a refused call`() throws {
    let fixture = try CommandFixture()
    let program = try Self.compiledFilter("strict", in: fixture)
    var bytes = try #require(try FileSystem.contents(program))
    // Replaces every EPERM action with ALLOW.
    for place in stride(from: 0, to: bytes.count, by: 8)
    where bytes[place..<place + 8] == [6, 0, 0, 0, 1, 0, 5, 0] {
      bytes.replaceSubrange(place..<place + 8, with: [6, 0, 0, 0, 0, 0, 0xFF, 0x7F])
    }
    try FileSystem.replaceContents("\(fixture.directory)/weak.bpf", with: bytes)
    let result = try fixture.run(
      "policy",
      "diff",
      program,
      "\(fixture.directory)/weak.bpf",
      "--json",
      "--fail-if-weaker"
    )
    #expect(result.code == 1)
    let json = try result.json
    #expect(json["weaker"] == .bool(true) && json["equal"] == .bool(false))
    guard case .array(let calls) = json["calls"]?["weaker"] else { return #expect(Bool(false)) }
    let socket = calls.first { $0["call"] == "socket" }
    #expect(socket?["old"] == "ERRNO(EPERM)" && socket?["new"] == "ALLOW")
    #expect(socket?["witness"]?["number"] != nil)
    #expect(socket?["conditions"] != nil)
  }

  @Test func `prints conditions as data and as text`() throws {
    let fixture = try CommandFixture()
    let rules = #"{ "call": "ioctl", "arguments": [{ "index": 1, "equals": "TIOCOUTQ" }] }, "flock""#
    try fixture.write("other.json", Self.document(rules))
    let other = "\(fixture.directory)/other.json"
    let weaker = try fixture.run("policy", "diff", "strict", other, "--json").json["calls"]?["weaker"]?
      .elements
    let flock = weaker?.first { $0["call"] == "flock" }
    #expect(flock?["conditions"]?.elements == [.array([])])
    let ioctl = weaker?.first { $0["call"] == "ioctl" }
    #expect(ioctl?["when"]?.elements == ["request is TIOCOUTQ"])
    let condition = try #require(ioctl?["conditions"]?.elements?.first?.elements?.first)
    #expect(condition["argument"] == 1 && condition["is"] == "anyOf")
    // Both forms match the witness and no neighboring value.
    #expect(
      condition["lowerHalfRanges"]?.elements == [["from": "0x5411", "to": "0x5411"]]
        || condition["masked"]?.elements == [["mask": "0xffffffff", "equals": "0x5411"]]
    )
  }

  @Test func `policy diff rejects a file that is neither a policy nor a filter`() throws {
    let fixture = try CommandFixture()
    try fixture.write("text.bpf", "not a compiled filter")
    let result = try fixture.run("policy", "diff", "base", "\(fixture.directory)/text.bpf")
    #expect(result.code == 65 && result.errorOutput.contains("is neither a policy nor a compiled filter"))
    #expect(try fixture.run("policy", "diff", "base", "nosuch").code == 66)
    #expect(try fixture.run("policy", "diff", "-", "-").code == 64)
  }

  /// Writes the program of a policy to a file and returns its path.
  static func compiledFilter(_ policy: String, in fixture: CommandFixture) throws -> String {
    let path = "\(fixture.directory)/\(policy).bpf"
    try FileSystem.replaceContents(path, with: try PolicyDisassembleCommandTests.raw(policy))
    return path
  }
}

extension PolicyDiffCommandTests {
  /// Returns an OCI seccomp profile with one additional rule.
  static func profile(_ rule: String = "") -> String {
    """
    {
      "defaultAction": "SCMP_ACT_ERRNO",
      "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
      "syscalls": [
        { "names": ["read", "write", "exit_group"], "action": "SCMP_ACT_ALLOW" }\(rule.isEmpty ? "" : ",\n    \(rule)")
      ]
    }
    """
  }

  @Test func `compares OCI profiles with each other`() throws {
    let fixture = try CommandFixture()
    try fixture.write("old.json", Self.profile())
    let rule = """
      { "names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [{ "index": 0, "value": 40, "op": "SCMP_CMP_EQ" }] }
      """
    try fixture.write("new.json", Self.profile(rule))
    let old = "\(fixture.directory)/old.json"
    let result = try fixture.run("policy", "diff", old, "\(fixture.directory)/new.json", "--fail-if-weaker")
    #expect(result.code == 1)
    #expect(result.lines[0].hasSuffix("old.json, a seccomp profile."))
    #expect(result.output.contains("e.g. x86_64 socket(AF_VSOCK, SOCK_STREAM, 0)"))
    #expect(result.output.contains("when domain is exactly AF_VSOCK"))
    #expect(
      result.output.contains("socket (x86_64, aarch64)") || result.output.contains("socket (aarch64, x86_64)")
    )
    let same = try fixture.run("policy", "diff", old, old)
    #expect(same.code == 0 && same.output.contains("(proved)"))
  }

  @Test func `reads systemd drop-ins and minijail policies`() throws {
    let fixture = try CommandFixture()
    try fixture.write("service.conf", "[Service]\nSystemCallFilter=read write exit_group flock\n")
    try fixture.write("tool.policy", "read: 1\nwrite: 1\nexit_group: 1\n")
    let result = try fixture.run(
      "policy",
      "diff",
      "\(fixture.directory)/tool.policy",
      "\(fixture.directory)/service.conf",
      "--json"
    )
    #expect(result.code == 0)
    let json = try result.json
    #expect(json["old"]?["kind"] == "policy of minijail" && json["new"]?["kind"] == "drop-in of systemd")
    guard case .array(let calls) = json["calls"]?["weaker"] else { return #expect(Bool(false)) }
    #expect(calls.contains { $0["call"] == "flock" })
  }
}
