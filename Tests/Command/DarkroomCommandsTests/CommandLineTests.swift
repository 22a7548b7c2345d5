// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import DarkroomCommands
import LinuxPrimitives
import Testing

@Suite struct CommandLineTests {
  /// The names of every command and command group.
  static let commands = CommandPath(DarkroomCommandLine.spec).tree.map(\.names)

  @Test func `the tables do not contradict themselves`() {
    #expect(DarkroomCommandLine.spec.faults == [])
  }

  @Test(arguments: commands) func `every command has help, asked for in either way`(names: [String]) throws {
    let help = try CommandResult.of(["help"] + names)
    #expect(help.code == 0)
    #expect(help.notes == "")
    #expect(help.output.hasPrefix("Usage: \((["darkroom"] + names).joined(separator: " ")) "))
    #expect(try CommandResult.of(names + ["--help"]).output == help.output)
    #expect(help.lines.allSatisfy { $0.count <= 80 || !$0.contains("  --") })
  }

  @Test(arguments: commands) func `an option that nobody has is a usage error of every command`(
    names: [String]
  ) throws {
    let result = try CommandResult.of(names + ["--frobnicate"])
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(result.notes.contains("there is no option '--frobnicate'"))
  }

  @Test(
    arguments: [
      (["instal", "x"], "Did you mean 'install'?"),
      (["content"], "Commands: list, show, export, invalidate, watch."),
      (["content", "lst"], "Did you mean 'list'?"),
      (["install"], "PATH is missing"),
      (["install", "a", "b"], "'b' is one argument too many"),
      (["content", "list"], "APP is missing"),
      (["content", "list", "Camera"], "\"Camera\" is no id of an app"),
      (["content", "export", "org.example.camera", "--all"], "the option --to DIR is missing"),
      (["content", "watch", "org.example.camera", "--timeout", "5"], "has no unit"),
      (["content", "watch", "org.example.camera", "--count", "0"], "must be a whole number"),
      (["context", "set", "org.example.camera"], "JSON is missing"),
      (["completion", "tcsh"], "must be one of bash, zsh, fish"),
      (["schema", "polcy"], "did you mean policy?"),
      (["readiness", "camera"], "\"camera\" is no id of an extension"),
    ]
  )
  func `a wrong command line is exit code 64 with a mend`(words: [String], mend: String) throws {
    let fixture = try CommandFixture()
    let result = try CommandResult.of(["--root", fixture.root] + words)
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(result.notes.contains(mend), "\(result.notes)")
  }

  @Test func `without a place for state the sentence says what to set`() throws {
    let result = try CommandResult.of(["list"])
    #expect(result.code == 73)
    #expect(result.notes.contains("set HOME, XDG_STATE_HOME or DARKROOM_ROOT, or give --root DIR"))
  }

  @Test func `results that are lost on a full disk are a failure, and a reader that goes away is none`()
    throws
  {
    let full = try FileSystem.open("/dev/full", .write)
    let unread = try Pipe.make().takeWriteEnd()
    let notes = try MemoryFile.make(name: "notes", size: 0)
    func run(_ output: borrowing Descriptor) -> Int32 {
      let number = output.rawValue
      let console = Console(output: number, error: notes.rawValue, input: 0, environment: { _ in nil })
      return DarkroomCommandLine.main(["policy", "list"], console)
    }
    #expect(run(unread) == 0)
    #expect(try CommandResult.text(notes) == "")
    #expect(run(full) == 74)
    #expect(try CommandResult.text(notes).contains("the results could not all be written: write: "))
  }
}
