// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import Testing

@Suite struct HelpTextTests {
  @Test func `the help of a command shows everything in its spec`() throws {
    let path = try #require(CommandPath(Sample.root, ["exec"]))
    let expected = """
      Usage: darkroom exec --app ID [OPTION]... -- PROGRAM [ARG]...

      Run any program as an extension.

      The program's streams come through.

        darkroom exec -- a
        darkroom exec -- b

      Arguments:
        -- PROGRAM [ARG]...  The program and its arguments

      Options:
        -a, --app ID            Run for this app (required)
            --policy NAME|FILE  Run under this policy (capture, strict, or a file;
                                default capture)
        -e, --env NAME=VALUE    Set a variable (may be repeated)
        -v, --verbose           Print more
        -q, --quiet             Print less
            --deadline TIME     Wait so long (default 10s)
            --scratch SIZE      Give so much room

      Options of every command: -h, --help, --version, --root DIR, --json (see
      'darkroom help').

      Examples:
        # Run a shell
        darkroom exec --app org.example.a -- sh -c 'echo \\n'

      Exit codes:
        0      The program exited with 0
        64     The command was not understood
        126    The program could not be started
        128+n  The program was terminated by signal n

      """
    #expect(HelpText.render(path) == expected)
  }

  @Test func `the root help has the main commands in groups, the common options and the topics`() {
    let expected = """
      Usage: darkroom COMMAND [OPTION]...

      Run capture extensions in a sandbox.

      An extension runs in a sandbox.

      It's "sealed"; a \\ and a -dash stay what they are. .Sh is not a macro.

      Run things ('darkroom help running'):
        exec     Run any program as an extension
        run      Run an extension
        more: install, list
      Content ('darkroom help captures'):
        content  Work with captures

      Options of every command:
        -h, --help      Print this help
            --version   Print the version
            --root DIR  Keep all state in DIR
            --json      Print JSON

      Examples:
        # See everything once
        darkroom demo

      'darkroom help COMMAND' describes a command, 'darkroom help TOPIC' a topic.
      Topics: running, captures, all, exit-codes.

      """
    #expect(HelpText.render(CommandPath(Sample.root)) == expected)
  }

  @Test func `the help of a topic lists all commands of its group, all groups, or the exit codes`() {
    func text(_ name: String) -> String? {
      Sample.root.topics.first { $0.name == name }.map { HelpText.render($0, of: CommandPath(Sample.root)) }
    }
    let hint = "\n'darkroom help COMMAND' describes a command.\n"
    let running = """
      Run things:
        exec     Run any program as an extension
        run      Run an extension
        install  Install an app
        list     List apps

      """
    #expect(text("running") == running + hint)
    #expect(text("captures") == "Content:\n  content  Work with captures\n" + hint)
    #expect(text("all") == running + "\nContent:\n  content  Work with captures\n" + hint)
    let codes = """
      Exit codes:
        0      The session was completed
        64     The command was not understood
        other  Another code

      """
    #expect(text("exit-codes") == codes + hint)
  }

  @Test func `the help of a group of commands lists its commands and no exit codes`() throws {
    let text = HelpText.render(try #require(CommandPath(Sample.root, ["content"])))
    #expect(text.hasPrefix("Usage: darkroom content COMMAND [OPTION]...\n"))
    #expect(text.contains("\nCommands:\n  export  Copy captures\n"))
    #expect(text.hasSuffix("\n'darkroom help content COMMAND' describes a command.\n"))
    #expect(!text.contains("Exit codes"))
  }

  @Test func `a command's own meaning of an exit code replaces the common one`() throws {
    let codes = try #require(CommandPath(Sample.root, ["exec"])).exitCodes
    #expect(codes.map(\.code) == ["0", "64", "126", "128+n"])
    #expect(codes.first?.meaning == "The program exited with 0")
    #expect(try #require(CommandPath(Sample.root, ["list"])).exitCodes == Sample.commonExitCodes)
    #expect(CommandPath(Sample.root).exitCodes == [])
  }

  @Test(arguments: [80, 100, 132])
  func `no help line is wider than the terminal`(width: Int) {
    for path in CommandPath(Sample.root).tree {
      for line in HelpText.render(path, width: width).split(separator: "\n") {
        #expect(line.count <= width, "\(line)")
      }
    }
  }

  @Test func `a negative terminal width does not crash`() {
    #expect(HelpText.render(CommandPath(Sample.root), width: -1).contains("install"))
  }
}
