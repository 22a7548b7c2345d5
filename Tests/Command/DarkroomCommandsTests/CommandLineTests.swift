// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import DarkroomCommands
import LinuxPrimitives
import Testing

@Suite struct CommandLineTests {
  /// The names of every command and command group.
  static let commands = CommandPath(DarkroomCommandLine.spec).tree.map(\.names)

  @Test func `the command specs have no faults`() {
    #expect(DarkroomCommandLine.spec.faults == [])
  }

  @Test(arguments: commands) func `every command prints the same help with help COMMAND and --help`(
    names: [String]
  ) throws {
    let help = try CommandResult.run(["help"] + names)
    #expect(help.code == 0)
    #expect(help.errorOutput == "")
    #expect(help.output.hasPrefix("Usage: \((["darkroom"] + names).joined(separator: " ")) "))
    #expect(try CommandResult.run(names + ["--help"]).output == help.output)
    #expect(help.lines.allSatisfy { $0.count <= 80 || !$0.contains("  --") })
  }

  @Test(arguments: commands) func `every command rejects an unknown option with a usage error`(
    names: [String]
  ) throws {
    let result = try CommandResult.run(names + ["--frobnicate"])
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(result.errorOutput.contains("there is no option '--frobnicate'"))
  }

  @Test(
    arguments: [
      (["instal", "x"], "Did you mean 'install'?"),
      (["content"], "Commands: list, show, export, invalidate, watch."),
      (["content", "lst"], "Did you mean 'list'?"),
      (["install"], "PATH is missing"),
      (["install", "a", "b"], "'b' is one argument too many"),
      (["content", "list"], "APP is missing"),
      (["content", "list", "Camera"], "'Camera' is not an app ID"),
      (["content", "export", "org.example.camera", "--all"], "the option --to DIR is missing"),
      (["content", "watch", "org.example.camera", "--timeout", "5"], "has no unit"),
      (["content", "watch", "org.example.camera", "--count", "0"], "must be a whole number"),
      (["context", "set", "org.example.camera"], "JSON is missing"),
      (["completion", "tcsh"], "must be one of bash, zsh, fish"),
      (["schema", "polcy"], "did you mean policy?"),
      (["readiness", "camera"], "'camera' is not an extension ID"),
      (
        ["run", "org.example.camera.capture", "--preview", "sixel"],
        "use --preview terminal:sixel, or --preview ./sixel for a file"
      ),
    ]
  )
  func `an invalid command line exits with code 64 and a fix`(words: [String], fix: String) throws {
    let fixture = try CommandFixture()
    let result = try CommandResult.run(["--root", fixture.root] + words)
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(result.errorOutput.contains(fix), "\(result.errorOutput)")
  }

  @Test func `without a state root, the message names the variables and the option to set`() throws {
    let result = try CommandResult.run(["list"])
    #expect(result.code == 73)
    #expect(result.errorOutput.contains("set HOME, XDG_STATE_HOME or DARKROOM_ROOT, or use --root DIR"))
  }

  @Test func `a full disk is an output error, and a closed pipe is not`()
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
