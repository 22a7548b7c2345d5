// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import LinuxPrimitives
import Testing

@Suite struct ManPageTests {
  /// The page of the sample tables.
  private let page = ManPage.render(Sample.root, date: "November 21, 2026")

  @Test func `mandoc finds nothing to complain about`() throws {
    guard let mandoc = InstalledProgram("mandoc") else { return }
    let result = try mandoc.run(["-T", "lint", "-W", "style"], input: page)
    #expect(result.output == "")
    #expect(result.status == .exited(0))
  }

  @Test func `mandoc complains about a broken page, so that its silence means something`() throws {
    guard let mandoc = InstalledProgram("mandoc") else { return }
    let result = try mandoc.run(["-T", "lint", "-W", "style"], input: page + ".Bl -tag\n")
    #expect(result.output.contains("Bl"))
  }

  @Test func `what the tables say stands in the formatted page as it is`() throws {
    guard let mandoc = InstalledProgram("mandoc") else { return }
    let text = try mandoc.run(["-T", "ascii", "-O", "width=200"], input: page).output
    let plain = Self.withoutOverstrikes(text)
    for expected in [
      "darkroom - run capture extensions", "darkroom exec --app ID [option ...] -- PROGRAM [ARG]...",
      "It's \"sealed\"; a \\ and a -dash stay what they are.", ".Sh is no macro.", "--env NAME=VALUE",
      "-a, --app ID", "exec -- PROGRAM [ARG]...", "content export PATH [FORMAT]",
      "64      The command was not understood.",
      "darkroom exec --app org.example.a -- sh -c 'echo \\n'", "-h, --help",
    ] {
      #expect(plain.contains(expected), "\(expected)\n\(plain)")
    }
  }

  /// The text without the backspaces by which a terminal of long ago printed bold and underlined letters.
  private static func withoutOverstrikes(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\u{8}" { scalars.removeLast() } else { scalars.append(scalar) }
    }
    return String(scalars)
  }
}
