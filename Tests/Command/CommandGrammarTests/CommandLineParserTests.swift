// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import Testing

@Suite struct CommandLineParserTests {
  /// Parses a command line whose arguments are separated by spaces.
  private func parse(_ line: String) throws(UsageError) -> ParsedCommand {
    try Sample.root.parse(line.split(separator: " ").map(String.init))
  }

  @Test(arguments: [
    "exec --app x -e A=1 --env=B=2=3 -- prog -v --app y",
    "exec -e A=1 -eB=2=3 -ax prog -v --app y",
    "exec -e=A=1 --env B=2=3 -a=x -- prog -v --app y",
    "exec --env A=1 --env B=2=3 --app=x prog -v --app y",
  ])
  func `all ways to write an option have the same meaning`(line: String) throws {
    let parsed = try parse(line)
    #expect(parsed.names == ["exec"])
    #expect(parsed.value(of: Sample.app) == "x")
    #expect(parsed.assignments(of: Sample.environment).map(\.name) == ["A", "B"])
    #expect(parsed.assignments(of: Sample.environment).map(\.value) == ["1", "2=3"])
    #expect(parsed.values(of: Sample.program) == ["prog", "-v", "--app", "y"])
    #expect(!parsed.has(Sample.verbose))
  }

  @Test func `short options can be combined, and the last can have a value`() throws {
    let parsed = try parse("exec -vqa x -- p")
    #expect(parsed.has(Sample.verbose) && parsed.has(Sample.quiet))
    #expect(parsed.value(of: Sample.app) == "x")
  }

  @Test(arguments: ["--root /r --json list a b", "list --root=/r a --json b", "list a b --json --root /r"])
  func `global options are accepted anywhere on the command line`(line: String) throws {
    let parsed = try parse(line)
    #expect(parsed.value(of: Sample.rootDirectory) == "/r")
    #expect(parsed.has(Sample.json))
    #expect(parsed.values(of: Sample.identifiers) == ["a", "b"])
  }

  @Test func `arguments after the program name belong to the program`() throws {
    #expect(try parse("exec --app x p -- q").rest == ["p", "--", "q"])
    #expect(try parse("exec --app x -- -- q").rest == ["--", "q"])
    #expect(try parse("exec --app x p --help").purpose == .run)
  }

  @Test func `arguments after the separator are never options`() throws {
    #expect(try parse("list -- --json -x").values(of: Sample.identifiers) == ["--json", "-x"])
    #expect(try parse("run long -- --json").rest == ["--json"])
    #expect(try parse("install -").value(of: Sample.path) == "-")
    #expect(try Sample.root.parse(["list", ""]).values(of: Sample.identifiers) == [""])
  }

  @Test func `defaults and value types come from the command spec`() throws {
    let parsed = try parse("exec --app x --scratch 64MiB -- p")
    #expect(parsed.duration(of: Sample.deadline) == .seconds(10))
    #expect(parsed.byteCount(of: Sample.scratch)?.bytes == 67_108_864)
    #expect(parsed.value(of: Sample.policy) == "capture")
    #expect(!parsed.has(Sample.policy))
    #expect(try parse("list --count 7").integer(of: Sample.count) == 7)
  }

  @Test(arguments: [
    ("--help", ""), ("help", ""), ("exec -h", "exec"), ("help content export", "content export"),
    ("--help exec", "exec"), ("content export --help", "content export"), ("exec --help --bogus", "exec"),
  ])
  func `help can be requested at every position`(line: String, command: String) throws {
    let parsed = try parse(line)
    #expect(parsed.purpose == .help)
    #expect(parsed.names.joined(separator: " ") == command)
  }

  @Test(arguments: [
    ("help running", "running"), ("--help captures", "captures"), ("--json help all", "all"),
    ("help exit-codes", "exit-codes"),
  ])
  func `a topic can be named after help`(line: String, topic: String) throws {
    guard case .topic(let found) = try parse(line).purpose else {
      Issue.record("\(line) is not a topic")
      return
    }
    #expect(found.name == topic)
  }

  @Test(arguments: [
    ("setup /x", "install", "'setup' is now 'install'"),
    ("--json setup --root /r /x", "install", "'setup' is now 'install'"),
    ("store copy /x", "content export", "'store copy' is now 'content export'"),
    ("store --json copy /x", "content export", "'store copy' is now 'content export'"),
    ("store export /x", "content export", "'store' is now 'content'"),
    ("help store copy", "content export", "'store copy' is now 'content export'"),
    ("--help setup", "install", "'setup' is now 'install'"),
    ("setup --help", "install", "'setup' is now 'install'"),
  ])
  func `a former name denotes the command and is reported`(line: String, command: String, note: String) throws
  {
    let parsed = try parse(line)
    #expect(parsed.names.joined(separator: " ") == command)
    #expect(parsed.formerName?.description == note)
  }

  @Test(arguments: ["install /x", "content export /x", "help content", "list setup"])
  func `a current name is not reported`(line: String) throws {
    #expect(try parse(line).formerName == nil)
  }

  @Test func `every command accepts --version`() throws {
    #expect(try parse("--version").purpose == .version)
    #expect(try parse("exec --version").purpose == .version)
  }

  @Test(arguments: [
    ("exce", "unknown command 'exce' (argument 1); did you mean 'exec'?"),
    ("frobnicate", "unknown command 'frobnicate' (argument 1); commands: install, exec, list, run, content"),
    ("", "missing command; commands: install, exec, list, run, content"),
    ("content", "missing command; commands: export"),
    ("-- exec", "missing command (argument 1); commands: install, exec, list, run, content"),
    ("help lst", "unknown command 'lst' (argument 2); did you mean 'list'?"),
    ("help runing", "unknown command 'runing' (argument 2); did you mean 'run' or 'running'?"),
    ("help content running", "unknown command 'running' (argument 3); commands: export"),
    (
      "help running list",
      "unexpected argument 'list' (argument 3); remove it, or quote it if it belongs to the previous argument"
    ),
    ("running", "unknown command 'running' (argument 1); did you mean 'run'?"),
    ("list --jsn", "unknown option '--jsn' (argument 2); did you mean '--json'?"),
    ("--app x exec -- p", "unknown option '--app' (argument 1); write it after 'darkroom exec'"),
    ("list -5", "unknown option '-5' (argument 2); write -- before an argument that is not an option"),
    ("list -json", "unknown option '-j' (argument 2); did you mean '--json'?"),
    ("exec -vz", "unknown option '-z' (argument 2); write -- before an argument that is not an option"),
    ("list --root", "missing value of --root DIR (argument 2); add DIR"),
    (
      "list --root --json",
      "missing value of --root DIR: '--json' looks like an option (argument 3); "
        + "if the value begins with a dash, write --root=--json"
    ),
    ("list --json=yes", "--json does not take the value 'yes' (argument 2); write --json alone"),
    ("list --root a --root b", "--root is given twice (argument 4); remove one of the two"),
    ("list --count 0", "--count: '0' is not a whole number from 1 to 9 (argument 2)"),
    ("list --color nevr", "--color: 'nevr' is not one of always, never (argument 2); did you mean 'never'?"),
    ("list --root=", "--root: '' is empty (argument 2); write a path"),
    (
      "exec --app x --env A -- p",
      "--env: 'A' is not an assignment (argument 4); write a name, an equals sign and a value, such as NAME=VALUE"
    ),
    (
      "exec --app x --deadline 5 -- p",
      "--deadline: '5' has no unit (argument 4); write, for example, 5s (units: ns, us, ms, s, m, h)"
    ),
    ("exec -- p", "missing option --app ID; add --app ID"),
    (
      "exec --app x",
      "missing argument -- PROGRAM [ARG]...; add -- PROGRAM [ARG]... at the end of the command line"
    ),
    (
      "exec --app x --",
      "missing argument -- PROGRAM [ARG]...; add -- PROGRAM [ARG]... at the end of the command line"
    ),
    ("install", "missing argument PATH; add PATH at the end of the command line"),
    (
      "install a b",
      "unexpected argument 'b' (argument 3); remove it, or quote it if it belongs to the previous argument"
    ),
    ("run long b", "unexpected argument 'b' (argument 3); write -- before the arguments that are passed on"),
    ("run longer", "FORMAT: 'longer' is not one of long, short (argument 2); did you mean 'long'?"),
  ])
  func `a usage error names the problem, its position and the fix`(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    let lines = error?.description.split(separator: "\n") ?? []
    #expect(lines.count == 2)
    #expect(lines.first?.hasSuffix(": \(message)") == true, "\(lines)")
    #expect(lines.last?.hasPrefix("See 'darkroom") == true && lines.last?.hasSuffix("--help'.") == true)
  }

  @Test func `an error does not list more commands than fit on a line`() {
    let entries = (0..<40).map { index -> (name: String, table: @Sendable () -> CommandSpec) in
      ("command\(index)", { CommandSpec("command\(index)", summary: "Run it") })
    }
    let spec = CommandSpec("x", summary: "Run x", subcommands: Subcommands(entries))
    let error = #expect(throws: UsageError.self) { try spec.parse(["frobnicate"]) }
    #expect(error?.description == "x: unknown command 'frobnicate' (argument 1)\nSee 'x --help'.")
  }

  @Test func `a usage error names the command that was parsed`() {
    let error = #expect(throws: UsageError.self) { try parse("content export --nope") }
    #expect(error?.description.hasPrefix("darkroom content export: ") == true)
    #expect(error?.description.hasSuffix("See 'darkroom content export --help'.") == true)
  }

  @Test func `a usage error escapes control characters and truncates long arguments`() {
    let word = "\u{1B}[2J" + String(repeating: "x", count: 5000)
    let error = #expect(throws: UsageError.self) { try Sample.root.parse([word]) }
    let text = error?.description ?? ""
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("\\u{1B}[2J"))
    #expect(text.count < 300)
  }
}
