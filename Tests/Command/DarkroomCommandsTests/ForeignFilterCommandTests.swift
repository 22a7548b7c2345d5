// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import JSONText
import LinuxPrimitives
import Testing

/// Policy commands accept filters of other programs, of processes, and stacks of filters.
@Suite(.timeLimit(.minutes(20))) struct ForeignFilterCommandTests {
  private static let profile = """
    {
      "defaultAction": "SCMP_ACT_ERRNO",
      "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
      "syscalls": [
        { "names": ["read", "write", "exit_group"], "action": "SCMP_ACT_ALLOW" },
        { "names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [{ "index": 1, "value": 21505, "op": "SCMP_CMP_EQ" }] }
      ]
    }
    """
  private static let minijail = """
    read: 1
    write: 1
    exit_group: 1
    ioctl: arg1 == 0x5401

    """
  private static let unit = """
    [Service]
    SystemCallFilter=read write exit_group
    SystemCallErrorNumber=EPERM
    SystemCallArchitectures=native

    """
  /// The names of the files of `makeFixture()`.
  private static let names = ["profile.json", "worker.policy", "worker.service", "filter.bpf"]

  /// Returns a fixture with one file of each format.
  private static func makeFixture() throws -> CommandFixture {
    let fixture = try CommandFixture()
    try fixture.write("profile.json", profile)
    try fixture.write("worker.policy", minijail)
    try fixture.write("worker.service", unit)
    try fixture.write("filter.bpf", try PolicyDisassembleCommandTests.raw("strict"))
    return fixture
  }

  /// Returns the program that `--raw` writes.
  private static func program(_ path: String) throws -> [UInt8] {
    let output = try MemoryFile.make(name: "output", size: 0)
    let notes = try MemoryFile.make(name: "notes", size: 0)
    let console = Console(output: output.rawValue, error: notes.rawValue, input: 0, environment: { _ in nil })
    #expect(DarkroomCommandLine.main(["policy", "disassemble", path, "--raw"], console) == 0)
    try output.rewind()
    return try #require(try output.readAll(limit: 1 << 20))
  }

  @Test(arguments: names) func `each policy command accepts each foreign file format`(name: String) throws {
    let fixture = try Self.makeFixture()
    let path = "\(fixture.directory)/\(name)"
    #expect(try fixture.run("policy", "explain", path, "read").output.contains("ALLOW:"))
    #expect(try fixture.run("policy", "explain", path, "ptrace").output.contains("ptrace") == true)
    #expect(try fixture.run("policy", "explain", path, "ptrace").output.contains("ALLOW:") == false)
    // systemd always allows the group @default, which contains the core calls prlimit64 and uretprobe.
    let violatesCore = name == "worker.service"
    #expect(try fixture.run("policy", "verify", path).code == (violatesCore ? 70 : 0))
    #expect(try fixture.run("policy", "check", path, "--fail-on", "warning").code == (violatesCore ? 65 : 0))
    #expect(try fixture.run("policy", "disassemble", path).lines[1].contains("A = arch"))
    #expect(try fixture.run("policy", "diff", path, path).output.contains("Equal filters"))
    #expect(try fixture.run("policy", "subset", path, path).code == 0)
  }

  @Test(arguments: names) func `a policy file and its compiled program are equal filters`(name: String)
    throws
  {
    let fixture = try Self.makeFixture()
    let path = "\(fixture.directory)/\(name)"
    try fixture.write("compiled.bpf", try Self.program(path))
    let result = try fixture.run("policy", "diff", path, "\(fixture.directory)/compiled.bpf")
    #expect(result.output.contains("Equal filters"), "\(result.output)")
  }

  @Test func `explain shows the conditions of each action of a foreign filter`() throws {
    let fixture = try Self.makeFixture()
    let result = try fixture.run("policy", "explain", "\(fixture.directory)/profile.json", "ioctl")
    #expect(result.lines.contains("ALLOW:") && result.lines.contains("ERRNO(EPERM):"))
    #expect(result.lines.contains { $0.contains("when request is exactly TCGETS") }, "\(result.output)")
    let one = try fixture.run("policy", "explain", "\(fixture.directory)/profile.json", "ioctl(_, TCGETS)")
    #expect(one.lines.contains("ALLOW:") && !one.lines.contains("ERRNO(EPERM):"))
    let json = try fixture.run("policy", "explain", "\(fixture.directory)/profile.json", "read", "--json")
      .json
    #expect(json["kind"] == "seccomp profile")
    guard case .array(let answers) = json["answers"] else { return #expect(Bool(false)) }
    #expect(answers.count == 1 && answers[0]["answer"] == "ALLOW" && answers[0]["call"] == "read")
  }

  @Test func `check and verify find the calls that a deny list leaves open`() throws {
    let fixture = try CommandFixture()
    try fixture.write("open.service", "[Service]\nSystemCallFilter=~@mount\n")
    let path = "\(fixture.directory)/open.service"
    let check = try fixture.run("policy", "check", path)
    #expect(check.code == 65)
    #expect(check.output.contains("DR6001") && check.output.contains("DR6002"))
    #expect(try fixture.run("policy", "verify", path).code == 70)
    // `policy subset` finds a call that the unit allows and base does not.
    #expect(try fixture.run("policy", "subset", path, "base").code == 1)
    #expect(try fixture.run("policy", "subset", "strict", "base").code == 0)
  }

  @Test func `a call is allowed only if every filter of a stack allows the call`() throws {
    let fixture = try Self.makeFixture()
    try fixture.write("read.policy", "read: 1\nptrace: 1\n")
    try fixture.write("open.service", "[Service]\nSystemCallFilter=~@mount\n")
    let (narrow, open) = ("\(fixture.directory)/read.policy", "\(fixture.directory)/open.service")
    let stack = "stack:\(open),\(narrow)"
    #expect(try fixture.run("policy", "explain", stack, "read").output.contains("ALLOW:"))
    // One of the two filters refuses each of these calls.
    #expect(!(try fixture.run("policy", "explain", stack, "write").output.contains("ALLOW:")))
    #expect(!(try fixture.run("policy", "explain", stack, "mount").output.contains("ALLOW:")))
    #expect(try fixture.run("policy", "subset", stack, narrow).code == 0)
    #expect(try fixture.run("policy", "subset", narrow, stack).code == 0)
    #expect(try fixture.run("policy", "subset", open, stack).code == 1)
    #expect(try fixture.run("policy", "disassemble", stack).output.contains("program 2 of 2"))
    #expect(try fixture.run("policy", "explain", "stack:\(open),", "read").code == 64)
  }

  @Test func `reports a missing process and describes a process without filters as unrestricted`() throws {
    let fixture = try CommandFixture()
    let missing = try fixture.run("policy", "verify", "--pid", "\(Int32.max)")
    #expect(missing.code == 66 && missing.errorOutput.contains("No such process (ESRCH)"))
    let own = "\(CurrentProcess.processID)"
    let explained = try fixture.run("policy", "explain", "--pid", own, "ptrace")
    // CI runs the tests without a filter.
    #expect(explained.output.contains("process with 0 filters") && explained.output.contains("ALLOW:"))
    #expect(try fixture.run("policy", "verify", "--pid", own).code == 70)
    #expect(try fixture.run("policy", "explain", "pid:x").code == 64)
  }
}
