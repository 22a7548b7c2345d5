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
        -- PROGRAM [ARG]...  What to run, with its words

      Options:
        -a, --app ID            Run for this app (required)
            --policy NAME|FILE  Run under this policy (capture, strict, or a file;
                                default capture)
        -e, --env NAME=VALUE    Set a variable (may be repeated)
        -v, --verbose           Say more
        -q, --quiet             Say less
            --deadline TIME     Wait so long (default 10s)
            --scratch SIZE      Give so much room

      Options of every command:
            --root DIR  Keep all state in DIR
            --json      Print JSON
        -h, --help      Show this help and do nothing else
            --version   Show the version and do nothing else

      Examples:
        # Run a shell
        darkroom exec --app org.example.a -- sh -c 'echo \\n'

      """
    #expect(HelpText.render(path) == expected)
  }

  @Test func `the root help lists the commands and the exit codes`() {
    let text = HelpText.render(CommandPath(Sample.root))
    #expect(text.hasPrefix("Usage: darkroom COMMAND [OPTION]...\n"))
    #expect(text.contains("\n  install  Install an app\n"))
    #expect(text.contains("\n  64  The command was not understood\n"))
    #expect(text.contains("'darkroom help COMMAND' shows the help of a command."))
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
