// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import JSONText
import LinuxPrimitives
import Testing

@Suite(.timeLimit(.minutes(20))) struct PolicyDisassembleCommandTests {
  /// Returns the bytes that `--raw` writes.
  static func raw(_ policy: String) throws -> [UInt8] {
    let output = try MemoryFile.make(name: "output", size: 0)
    let notes = try MemoryFile.make(name: "notes", size: 0)
    let console = Console(output: output.rawValue, error: notes.rawValue, input: 0, environment: { _ in nil })
    #expect(DarkroomCommandLine.main(["policy", "disassemble", policy, "--raw"], console) == 0)
    #expect(try CommandResult.text(notes).isEmpty)
    try output.rewind()
    return try #require(try output.readAll(limit: 1 << 20))
  }

  @Test func `prints the program of a policy with symbolic names`() throws {
    let fixture = try CommandFixture()
    let result = try fixture.run("policy", "disassemble", "base")
    #expect(result.code == 0 && result.errorOutput.isEmpty)
    #expect(result.lines.first == " line  code  jt   jf   k")
    #expect(result.lines[1] == " 0000: 0x20 0x00 0x00 0x00000004  A = arch")
    #expect(result.output.contains("return ERRNO(EPERM)") && result.output.contains("(request of ioctl)"))
    #expect(result.output.contains("TIOCGWINSZ (21523)"))
    #expect(!result.output.contains("(unreachable)"))
  }

  @Test func `marks instructions that no call can reach`() throws {
    let fixture = try CommandFixture()
    // The program tests the architecture twice and then an impossible condition on the number.
    let architecture: [UInt8] = [
      0x20, 0, 0, 0, 4, 0, 0, 0, 0x15, 0, 1, 0, 0x3E, 0, 0, 0xC0, 6, 0, 0, 0, 0, 0, 0, 0x80,
    ]
    let number: [UInt8] = [0x20, 0, 0, 0, 0, 0, 0, 0, 0x35, 0, 1, 0, 0, 0, 0, 0, 6, 0, 0, 0, 1, 0, 5, 0]
    let program = architecture + architecture + number + [6, 0, 0, 0, 0, 0, 0xFF, 0x7F]
    try FileSystem.replaceContents("\(fixture.directory)/twice.bpf", with: program)
    let lines = try fixture.run("policy", "disassemble", "\(fixture.directory)/twice.bpf").lines.dropFirst()
    #expect(lines.count == 10)
    let unreachable = lines.indices.filter { lines[$0].hasSuffix("(unreachable)") }
    #expect(unreachable == [6, 9], "\(lines)")
  }

  @Test func `a raw program can be written and disassembled again`() throws {
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

  @Test func `--installed prints the two programs that a launch loads`() throws {
    let fixture = try CommandFixture()
    let result = try fixture.run("policy", "disassemble", "strict", "--installed")
    #expect(result.lines.first?.hasPrefix("program 1 of 2, ") == true)
    // The first program allows launcher calls and reports others; the second terminates a process that makes
    // launcher calls.
    let second = try #require(result.lines.firstIndex { $0.hasPrefix("program 2 of 2, ") })
    let (first, closing) = (result.lines[..<second], result.lines[second...])
    #expect(first.contains { $0.hasSuffix("return USER_NOTIF") })
    #expect(closing.contains { $0.hasSuffix("return KILL_PROCESS") })
    #expect([first, closing].allSatisfy { $0.contains { $0.contains("args[5].high") } })
    #expect(try fixture.run("policy", "disassemble", "strict", "--installed", "--raw").code == 64)
  }

  @Test func `--json contains the instructions`() throws {
    let fixture = try CommandFixture()
    let json = try fixture.run("policy", "disassemble", "strict", "--json").json
    guard case .array(let programs) = json["programs"],
      case .array(let lines) = programs.first?["instructions"]
    else { return #expect(Bool(false)) }
    #expect(lines.first?["text"] == "A = arch" && lines.last?["action"] != nil)
    #expect(lines.contains { $0["calls"] == ["ioctl"] })
  }

  @Test func `policy disassemble rejects a truncated program`() throws {
    let fixture = try CommandFixture()
    try FileSystem.replaceContents("\(fixture.directory)/torn.bpf", with: [6, 0, 0, 0, 0])
    let result = try fixture.run("policy", "disassemble", "\(fixture.directory)/torn.bpf")
    #expect(result.code == 65 && result.errorOutput.contains("neither a policy nor a compiled filter"))
  }
}
