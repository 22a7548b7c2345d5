// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A Debian program with its test case and the expected result under the default policy (`programs.json`).
struct CompatibleProgram: Sendable, CustomTestStringConvertible {
  /// The name in the table of CompatiblePrograms.md.
  var name: String
  /// The Debian package that contains the program.
  var package: String
  /// Additional packages that the test case requires.
  var packages: [String]
  /// The description of the test case in the table.
  var summary: String
  /// Whether the program runs in a session.
  var runs: Bool
  /// Whether every test run includes the program. The others need `DARKROOM_COMPATIBILITY=all`.
  var isQuick: Bool
  /// Whether the program is also tested as an installed extension.
  var runsAsExtension: Bool
  /// The text of each input file, by file name.
  var files: [String: String]
  /// A shell command that prepares the input files outside the sandbox.
  var preparation: String?
  /// Options of `darkroom exec`.
  var options: [String]
  /// The program and its arguments. `{files}` is replaced with the directory of the input files.
  var arguments: [String]
  /// A regular expression that must match the program's output.
  var outputPattern: String?
  /// The names of the files that the program must capture.
  var expectedFiles: [String]
  /// A remark, or the reason if the program does not run.
  var remark: String?

  var testDescription: String { name }

  /// All programs, in the order of the table.
  static let all = Result { () throws -> [CompatibleProgram] in
    let folder = FileSystem.directoryName(#filePath)
    let text = try #require(try FileSystem.contents("\(folder)/programs.json"))
    let document = try JSONNode.parse(text).value
    return try #require(document["programs"]?.elements).map(CompatibleProgram.init)
  }

  /// Creates a program from its JSON object.
  init(_ json: JSONValue) throws {
    func text(_ name: String) throws -> String { try #require(json[name]?.string, "\(name) of \(json)") }
    func texts(_ name: String) -> [String] { json[name]?.elements?.compactMap(\.string) ?? [] }
    name = try text("name")
    package = try text("package")
    packages = texts("packages")
    summary = try text("does")
    runs = json["runs"] == true
    isQuick = json["quick"] == true
    runsAsExtension = json["extension"] != false
    files = Dictionary(
      uniqueKeysWithValues: (json["files"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }
    )
    preparation = json["prepare"]?.string
    options = texts("options")
    arguments = texts("words")
    outputPattern = json["prints"]?.string
    expectedFiles = texts("captures")
    remark = json[runs ? "remark" : "why"]?.string
    try #require(!arguments.isEmpty)
  }

  /// The program's row of the table in CompatiblePrograms.md.
  var row: String {
    let result = runs ? "runs" : "does not run"
    return "| \(name) | `\(package)` | \(summary) | \(result) | \(remark ?? "") |"
  }

  /// Whether all packages of the test case are installed.
  var isInstalled: Bool {
    let names = ([package] + packages).joined(separator: " ")
    let query = "dpkg-query --show --showformat '${db:Status-Status}\\n' \(names)"
    // dpkg-query(1) fails for unknown packages and prints another status for removed ones.
    return (try? runShell("\(query) > /dev/null && test -z \"$(\(query) | grep -vx installed)\"")) != nil
  }
}
