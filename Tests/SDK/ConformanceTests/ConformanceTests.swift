// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import TestSupport
import Testing

/// The conformance suite of the libraries for extensions: the same script and the same transcript in each
/// language.
///
/// `Cases/host.py` plays `Cases/script.json` with an extension. The host implements only the written protocol,
/// and uses no sandbox. After a change of the script, write a new `Cases/transcript.txt` with `host.py`.
@Suite(.timeLimit(.minutes(10)), .waitingFirst) struct ConformanceTests {
  /// The directory of the host, the script and the extensions in C and Python.
  private static let cases = "\(PackageDirectory.path)/Tests/SDK/ConformanceTests/Cases"
  private static let libraries = "\(PackageDirectory.path)/Sources/SDK"
  private static let transcript = "\(cases)/transcript.txt"

  /// A language with a library for extensions.
  enum Language: String, CaseIterable, Sendable {
    case c, python, swift
  }

  /// Returns shell code that sets the positional parameters to the command of the extension, after building
  /// the extension in the working directory if necessary.
  private func command(_ language: Language) throws -> String {
    switch language {
    case .c:
      """
      '\(Self.libraries)/CDarkroom/build-library' library
      cc -std=c11 -Wall -Wextra -Werror -I'\(Self.libraries)/CDarkroom/include' -o extension \\
        '\(Self.cases)/extension.c' library/libdarkroom.a
      set -- "$PWD/extension"
      """
    case .python:
      """
      set -- /usr/bin/env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='\(Self.libraries)/Python' \\
        /usr/bin/python3 -W error '\(Self.cases)/extension.py'
      """
    case .swift:
      """
      set -- '\(FileSystem.directoryName(try CurrentProcess.executablePath()))/darkroom-conformance-extension'
      """
    }
  }

  /// Runs a shell command with the extension of a language in a new directory, which is removed afterwards.
  /// The command receives the command of the extension as positional parameters.
  private func run(_ shellCommand: String, _ language: Language) throws {
    let directory = "/tmp/darkroom-conformance-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory)
    defer { try? FileSystem.removeTree(directory) }
    try runShell("cd '\(directory)'\n\(try command(language))\n\(shellCommand)")
  }

  @Test(arguments: Language.allCases)
  func `the extension in each language has the recorded conversation with the host`(language: Language) throws
  {
    try run(
      """
      /usr/bin/python3 -I '\(Self.cases)/host.py' '\(Self.cases)/script.json' transcript "$@"
      diff -u '\(Self.transcript)' transcript
      """,
      language
    )
  }

  @Test(arguments: [
    ("frame 10, dropped 2", "frame 10, dropped 1"), (#""rating": 4.5"#, #""rating": 4"#),
    (#""exit": 70"#, #""exit": 0"#),
  ])
  func `the host fails if the extension does not follow the script`(expected: String, changed: String) throws
  {
    try run(
      """
      sed 's/\(expected)/\(changed)/' '\(Self.cases)/script.json' >script
      if cmp -s script '\(Self.cases)/script.json'; then exit 1; fi
      if /usr/bin/python3 -I '\(Self.cases)/host.py' script transcript "$@" >output 2>&1; then exit 1; fi
      grep -q '^the last lines of the transcript:$' output
      """,
      .python
    )
  }

  @Test func `the transcript contains each message of the protocol except the query of the app context`()
    throws
  {
    let bytes = try #require(try FileSystem.contents(Self.transcript))
    let text = String(decoding: bytes, as: UTF8.self)
    let methods = HostMethod.allCases.map(\.rawValue) + ExtensionMethod.allCases.map(\.rawValue)
    let missing = methods.filter { !text.contains(#""method":"\#($0)""#) }
    // The Swift library never queries the app context: the host has sent the context before.
    #expect(missing == [ExtensionMethod.contextGet.rawValue])
  }
}
