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
    // Lists in the text of a command keep their line breaks.
    let text = help.lines.prefix { $0 != "Examples:" }
    #expect(text.filter { $0.count > 80 } == [])
    guard !names.isEmpty else { return }
    #expect(!help.output.contains("Keep all files below DIR"))
    let words = help.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    let common =
      "Options of every command: -h, --help, --version, --root DIR, --json, --no-serve (see 'darkroom help')."
    #expect(words.contains(common))
  }

  @Test func `the help fits on one screen, with twelve commands in five groups`() throws {
    let help = try CommandResult.run(["help"])
    #expect(help.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 40 + 1)
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(
      help.lines[1] == "Run untrusted capture extensions in a sandbox, and migrate their captures once."
    )
    let groups = help.lines.filter { $0.contains("('darkroom help ") }
    #expect(
      groups == [
        "Run things ('darkroom help running'):", "Apps and extensions ('darkroom help apps'):",
        "Content ('darkroom help captures'):", "Policies and audit ('darkroom help policies'):",
        "System ('darkroom help system'):",
      ]
    )
    let options = try #require(help.lines.firstIndex(of: "Options of every command:"))
    let described = help.lines[..<options].filter { $0.hasPrefix("  ") && !$0.hasPrefix("  more: ") }
    #expect(
      described.compactMap { $0.split(separator: " ").first.map(String.init) } == [
        "demo", "run", "exec", "init", "install", "list", "content", "logs", "policy", "audit", "doctor",
        "serve",
      ]
    )
    for option in ["-h, --help", "--version", "--root DIR", "--json", "--no-serve"] {
      #expect(help.lines[options...].contains { $0.contains("\(option) ") }, "\(option)")
    }
    #expect(!help.output.contains("Exit codes"))
    #expect(try CommandResult.run(["--help"]).output == help.output)
    let bare = try CommandResult.run([])
    #expect(bare.output == help.output)
    #expect(bare.code == 64)
  }

  @Test func `each command is in the help of one group, and help all lists all groups`() throws {
    let all = try CommandResult.run(["help", "all"])
    #expect(all.code == 0)
    let groups = DarkroomCommandLine.spec.topics.filter { !$0.commands.isEmpty }
    #expect(groups.map(\.name) == ["running", "apps", "captures", "policies", "system"])
    for group in groups {
      let help = try CommandResult.run(["help", group.name])
      #expect(help.lines.first == "\(group.title):")
      for name in group.commands {
        let summary = try #require(DarkroomCommandLine.spec.subcommands[name]).summary
        for lines in [help.lines, all.lines] {
          let rows = lines.filter { $0.hasPrefix("  \(name) ") }
          #expect(rows.count == 1 && rows[0].hasSuffix("  \(summary)"), "\(name): \(rows)")
        }
      }
      #expect(help.lines.filter { $0.hasPrefix("  ") }.count == group.commands.count)
    }
    #expect(all.lines.filter { $0.hasPrefix("  ") }.count == DarkroomCommandLine.spec.subcommands.count)
  }

  @Test func `help exit-codes lists all exit codes`() throws {
    let lines = try CommandResult.run(["help", "exit-codes"]).lines
    for code in ExitCode.allCases.map({ "\($0.rawValue)" }) + ["0", "128+n", "other"] {
      #expect(lines.contains { $0.hasPrefix("  \(code) ") }, "\(code)")
    }
  }

  @Test(arguments: commands) func `the help of a command has the exit codes of that command`(
    names: [String]
  ) throws {
    let path = try #require(CommandPath(DarkroomCommandLine.spec, names))
    let isGroup = !path.command.subcommands.isEmpty && path.command.subcommandRequirement != .optional
    let codes = path.exitCodes.map(\.code)
    #expect(Set(codes).count == codes.count)
    #expect(isGroup ? codes.isEmpty : Set(["0", "64", "74"]).isSubset(of: codes))
    let general = DarkroomCommandLine.spec.topics.flatMap(\.exitCodes).map(\.code)
    #expect(Set(codes).isSubset(of: general), "\(codes)")
    let help = try CommandResult.run(["help"] + names).output
    #expect(help.contains("\nExit codes:\n") != isGroup)
  }

  @Test(arguments: [
    (["log", "list"], "'log' is now 'logs'", ["logs", "list"]),
    (["log", "show", "1"], "'log show' is now 'inspect'", ["inspect", "1"]),
    (["log"], "'log' is now 'logs'", ["logs"]), (["sweep"], "'sweep' is now 'prune'", ["prune"]),
    (["manual", "run"], "'manual' is now 'man'", ["man", "run"]),
    (["help", "sweep"], "'sweep' is now 'prune'", ["help", "prune"]),
    (["sweep", "--help"], "'sweep' is now 'prune'", ["prune", "--help"]),
  ])
  func `a former name of a command works and reports the current name once`(
    former: [String],
    note: String,
    current: [String]
  ) throws {
    let fixture = try CommandFixture()
    try fixture.migrateSession()
    // Otherwise, the first of the two commands would find files in the trash.
    #expect(try fixture.run("prune").code == 0)
    let old = try CommandResult.run(["--root", fixture.root] + former)
    let new = try CommandResult.run(["--root", fixture.root] + current)
    #expect(old.errorOutput == "darkroom: \(note)\n" + new.errorOutput)
    #expect(old.output == new.output)
    #expect(old.code == new.code)
  }

  @Test func `help, completion and man pages do not show former names`() throws {
    for words in [["help", "all"], ["completion", "fish"], ["completion", "bash"], ["man"]] {
      let output = try CommandResult.run(words).output
      for name in ["darkroom log ", "darkroom sweep", "darkroom manual", "'sweep'", "'manual'"] {
        #expect(!output.contains(name), "\(words): \(name)")
      }
    }
    let misspelled = try CommandResult.run(["swep"])
    #expect(!misspelled.errorOutput.contains("sweep"))
  }

  @Test(arguments: commands) func `every command rejects an unknown option with a usage error`(
    names: [String]
  ) throws {
    let result = try CommandResult.run(names + ["--frobnicate"])
    #expect(result.code == 64)
    #expect(result.output == "")
    #expect(result.errorOutput.contains("unknown option '--frobnicate'"))
  }

  @Test(
    arguments: [
      (["instal", "x"], "unknown command 'instal' (argument 3); did you mean 'install'?"),
      (["content"], "missing command; commands: list, show, export, invalidate, watch\n"),
      (["content", "lst"], "did you mean 'list'?"),
      (["install"], "missing argument PATH; add PATH at the end of the command line"),
      (["install", "a", "b"], "unexpected argument 'b'"),
      (["content", "list"], "missing argument APP"),
      (["help", "runing"], "unknown command 'runing' (argument 4); did you mean 'run' or 'running'?"),
      (["help", "frobnicate"], "unknown command 'frobnicate' (argument 4)"),
      (["content", "list", "Camera"], "'Camera' is not an app ID"),
      (["content", "export", "org.example.camera", "--all"], "missing option --to DIR; add --to DIR"),
      (["content", "watch", "org.example.camera", "--timeout", "5"], "has no unit"),
      (["content", "watch", "org.example.camera", "--count", "0"], "is not a whole number"),
      (["context", "set", "org.example.camera"], "missing argument JSON"),
      (["completion", "tcsh"], "is not one of bash, zsh, fish"),
      (["schema", "polcy"], "did you mean 'policy'?"),
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
