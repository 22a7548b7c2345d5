// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import JSONText
import LinuxPrimitives
import Testing

@Suite(.timeLimit(.minutes(20))) struct PolicyDisassembleCommandTests {
  /// The bytes that `--raw` writes.
  static func raw(_ policy: String) throws -> [UInt8] {
    let output = try MemoryFile.make(name: "output", size: 0)
    let notes = try MemoryFile.make(name: "notes", size: 0)
    let console = Console(output: output.rawValue, error: notes.rawValue, input: 0, environment: { _ in nil })
    #expect(DarkroomCommandLine.main(["policy", "disassemble", policy, "--raw"], console) == 0)
    #expect(try CommandResult.text(notes).isEmpty)
    try output.rewind()
    return try #require(try output.readAll(limit: 1 << 20))
  }

  @Test func `a policy's program is printed with names`() throws {
    let fixture = try CommandFixture()
    let result = try fixture.run("policy", "disassemble", "base")
    #expect(result.code == 0 && result.notes.isEmpty)
    #expect(result.lines.first == " line  code  jt   jf   k")
    #expect(result.lines[1] == " 0000: 0x20 0x00 0x00 0x00000004  A = arch")
    #expect(result.output.contains("return ERRNO(EPERM)") && result.output.contains("(request of ioctl)"))
    #expect(result.output.contains("TIOCGWINSZ (21523)"))
    // libseccomp asks for the architecture again, which the instructions in front have settled.
    #expect(result.lines.contains { $0.hasSuffix("return KILL_PROCESS  (no call gets here)") })
  }

  @Test func `the program itself can be written, and read again`() throws {
    let fixture = try CommandFixture()
    let bytes = try Self.raw("strict")
    #expect(!bytes.isEmpty && bytes.count.isMultiple(of: 8))
    let path = "\(fixture.directory)/strict.bpf"
    try FileSystem.replaceContents(path, with: bytes)
    let again = try fixture.run("policy", "disassemble", path)
    let first = try fixture.run("policy", "disassemble", "strict")
    #expect(again.code == 0 && again.lines == first.lines)
    #expect(again.lines.count == bytes.count / 8 + 1)
  }

  @Test func `what a launch loads are two programs`() throws {
    let fixture = try CommandFixture()
    let result = try fixture.run("policy", "disassemble", "strict", "--installed")
    #expect(result.lines.first?.hasPrefix("program 1 of 2, ") == true)
    #expect(
      result.output.contains("return USER_NOTIF") && result.output.contains("program 2 of 2, 14 instructions")
    )
    #expect(try fixture.run("policy", "disassemble", "strict", "--installed", "--raw").code == 64)
  }

  @Test func `programs get the instructions as data`() throws {
    let fixture = try CommandFixture()
    let json = try fixture.run("policy", "disassemble", "strict", "--json").json
    guard case .array(let programs) = json["programs"],
      case .array(let lines) = programs.first?["instructions"]
    else { return #expect(Bool(false)) }
    #expect(lines.first?["text"] == "A = arch" && lines.last?["action"] != nil)
    #expect(lines.contains { $0["calls"] == ["ioctl"] })
  }

  @Test func `a program that the kernel would not take is refused`() throws {
    let fixture = try CommandFixture()
    try FileSystem.replaceContents("\(fixture.directory)/torn.bpf", with: [6, 0, 0, 0, 0])
    let result = try fixture.run("policy", "disassemble", "\(fixture.directory)/torn.bpf")
    #expect(result.code == 65 && result.notes.contains("neither a policy nor a compiled filter"))
  }
}
