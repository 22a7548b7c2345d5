// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.waiting) struct ManPageTests {
  /// The man page of the sample commands.
  private let page = ManPage.render(CommandPath(Sample.root), date: "November 21, 2026")

  @Test func `mandoc reports no problem in the man page`() throws {
    guard let mandoc = ExternalTool("mandoc") else { return }
    let result = try mandoc.run(["-T", "lint", "-W", "style"], input: page)
    #expect(Self.warnings(result.output) == [])
  }

  @Test func `each command has its own man page with its options and cross references`() throws {
    guard let mandoc = ExternalTool("mandoc") else { return }
    for command in Sample.root.subcommands {
      let path = try #require(CommandPath(Sample.root, [command.name]))
      let page = ManPage.render(path, date: "November 21, 2026")
      let lint = try mandoc.run(["-T", "lint", "-W", "style"], input: page)
      #expect(Self.warnings(lint.output) == [])
      let text = try mandoc.run(["-T", "ascii", "-O", "width=200"], input: page).output
      let plain = Self.removingOverstrikes(text)
      #expect(plain.hasPrefix("DARKROOM-\(command.name.uppercased())(1)"))
      let expected = ["darkroom-\(command.name) - ", "EXIT STATUS", "SEE ALSO\n     darkroom(1)", "--help"]
      #expect(expected.allSatisfy(plain.contains), "\(plain)")
      #expect(command.options.allSatisfy { plain.contains("--\($0.long)") })
      #expect(plain.contains("Options of every command: -h, --help, --version, --root DIR, --json (see"))
      #expect(!plain.contains("Keep all state in DIR"))
      #expect(
        path.tree.allSatisfy { leaf in leaf.command.options.allSatisfy { plain.contains("--\($0.long)") } }
      )
      let others = Sample.root.subcommands.filter { $0.name != command.name }
      #expect(others.allSatisfy { !plain.contains("darkroom \($0.name) ") })
    }
  }

  @Test func `the man page of a command has the exit codes of that command only`() throws {
    func exitStatus(_ names: String...) throws -> Substring {
      let path = try #require(CommandPath(Sample.root, names))
      let source = ManPage.render(path, date: "November 21, 2026")
      return source[try #require(source.firstRange(of: ".Sh EXIT STATUS")).lowerBound...]
    }
    let exec = try exitStatus("exec")
    #expect(exec.contains(".It \\&126\nThe program could not be started.\n"))
    #expect(exec.contains(".It \\&64\nThe command was not understood.\n"))
    #expect(!(try exitStatus("list")).contains("126"))
    #expect(try exitStatus("content").contains(".Ss content export\n"))
    let root = try exitStatus()
    #expect(root.contains("Another code") && !root.contains("126"))
  }

  @Test func `mandoc reports a broken man page (control)`() throws {
    guard let mandoc = ExternalTool("mandoc") else { return }
    let result = try mandoc.run(["-T", "lint", "-W", "style"], input: page + ".Bl -tag\n")
    #expect(result.output.contains("Bl"))
  }

  @Test func `the formatted man page shows the text of the command specs verbatim`() throws {
    guard let mandoc = ExternalTool("mandoc") else { return }
    let text = try mandoc.run(["-T", "ascii", "-O", "width=200"], input: page).output
    let plain = Self.removingOverstrikes(text)
    for expected in [
      "darkroom - run capture extensions", "darkroom exec --app ID [option ...] -- PROGRAM [ARG]...",
      "It's \"sealed\"; a \\ and a -dash stay what they are.", ".Sh is not a macro.", "--env NAME=VALUE",
      "-a, --app ID", "exec -- PROGRAM [ARG]...", "content export PATH [FORMAT]",
      "64      The command was not understood.",
      "darkroom exec --app org.example.a -- sh -c 'echo \\n'", "-h, --help", "--root DIR",
      "Keep all state in DIR",
    ] {
      #expect(plain.contains(expected), "\(expected)\n\(plain)")
    }
  }

  /// Returns mandoc's warnings except about missing cross references, because the other pages are not
  /// installed.
  private static func warnings(_ output: String) -> [Substring] {
    output.split(separator: "\n").filter { !$0.contains("STYLE: referenced manual not found: Xr darkroom") }
  }

  /// Returns the text without the backspace sequences for bold and underlined characters.
  private static func removingOverstrikes(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\u{8}" { scalars.removeLast() } else { scalars.append(scalar) }
    }
    return String(scalars)
  }
}
