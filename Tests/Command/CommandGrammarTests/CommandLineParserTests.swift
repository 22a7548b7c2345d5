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

  @Test func `every command accepts --version`() throws {
    #expect(try parse("--version").purpose == .version)
    #expect(try parse("exec --version").purpose == .version)
  }

  @Test(arguments: [
    ("exce", "there is no command 'exce' (argument 1)", "Did you mean 'exec'?"),
    (
      "frobnicate", "there is no command 'frobnicate' (argument 1)",
      "Commands: install, exec, list, run, content."
    ),
    ("", "a command is missing", "Commands: install, exec, list, run, content."),
    ("content", "a command is missing", "Commands: export."),
    ("-- exec", "a command is missing (argument 1)", "Commands:"),
    ("help lst", "there is no command 'lst' (argument 2)", "Did you mean 'list'?"),
    ("list --jsn", "there is no option '--jsn' (argument 2)", "Did you mean '--json'?"),
    ("--app x exec -- p", "there is no option '--app' (argument 1)", "It belongs to 'darkroom exec'"),
    ("list -5", "there is no option '-5' (argument 2)", "put -- before it"),
    ("list -json", "there is no option '-j' (argument 2)", "Did you mean '--json'?"),
    ("exec -vz", "there is no option '-z' (argument 2)", "put -- before it"),
    ("list --root", "--root DIR has no value (argument 2)", "Write --root DIR."),
    ("list --root --json", "'--json' looks like an option (argument 3)", "is written --root=--json"),
    ("list --json=yes", "--json takes no value, but was given 'yes'", "Write --json alone."),
    ("list --root a --root b", "--root is given twice (argument 4)", "Give it once."),
    ("list --count 0", "--count: '0' must be a whole number from 1 to 9", ""),
    ("list --color nevr", "must be one of always, never; did you mean never?", ""),
    ("list --root=", "--root: '' must not be empty", ""),
    ("exec --app x --env A -- p", "--env: 'A' must be a name, an equals sign and a value", ""),
    ("exec --app x --deadline 5 -- p", "--deadline: '5' has no unit; write, for example, 5s", ""),
    ("exec -- p", "the option --app ID is missing", "Add --app ID."),
    ("exec --app x", "-- PROGRAM [ARG]... is missing", "Add -- PROGRAM [ARG]... at the end"),
    ("exec --app x --", "-- PROGRAM [ARG]... is missing", ""),
    ("install", "PATH is missing", "Add PATH at the end"),
    ("install a b", "'b' is one argument too many (argument 3)", "Leave it out"),
    ("run long b", "'b' is one argument too many (argument 3)", "Put -- before"),
    ("run longer", "FORMAT: 'longer' must be one of long, short; did you mean long?", ""),
  ])
  func `a usage error names the problem, its position and the fix`(line: String, problem: String, fix: String)
  {
    let error = #expect(throws: UsageError.self) { try parse(line) }
    let text = error?.description ?? ""
    #expect(text.contains(problem), "\(text)")
    #expect(text.contains(fix), "\(text)")
    #expect(text.hasSuffix("--help'."), "\(text)")
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
