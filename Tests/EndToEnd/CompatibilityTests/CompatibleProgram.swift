// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A program of Debian, what it is tried with, and what is expected of it under the default policy (`programs.json`).
struct CompatibleProgram: Sendable, CustomTestStringConvertible {
  /// The name in the table of the documents.
  var name: String
  /// The Debian package that it comes from.
  var package: String
  /// Other packages that the trial needs.
  var packages: [String]
  /// The description of the trial in the table.
  var does: String
  /// Whether the program runs in a session.
  var runs: Bool
  /// Whether the trial is made each time that the tests run, or only if all are asked for.
  var isQuick: Bool
  /// Whether the program is tried as an installed extension, too.
  var isExtension: Bool
  /// Files that it needs, by their names.
  var files: [String: String]
  /// A shell command that completes these files outside the sandbox.
  var preparation: String?
  /// Options of `darkroom exec`.
  var options: [String]
  /// The program and its arguments. `{files}` stands for the directory of the files.
  var words: [String]
  /// A regular expression that its output matches.
  var prints: String?
  /// Names of files that it captures.
  var captures: [String]
  /// A remark on a program that runs, or the reason why it does not run.
  var remark: String?

  var testDescription: String { name }

  /// All programs, in the order of the table.
  static let all = Result { () throws -> [CompatibleProgram] in
    let folder = FileSystem.directoryName(#filePath)
    let text = try #require(try FileSystem.contents("\(folder)/programs.json"))
    let document = try JSONNode.parse(text).value
    return try #require(document["programs"]?.elements).map(CompatibleProgram.init)
  }

  /// Reads a program from its JSON object.
  init(_ json: JSONValue) throws {
    func text(_ name: String) throws -> String { try #require(json[name]?.string, "\(name) of \(json)") }
    func texts(_ name: String) -> [String] { json[name]?.elements?.compactMap(\.string) ?? [] }
    name = try text("name")
    package = try text("package")
    packages = texts("packages")
    does = try text("does")
    runs = json["runs"] == true
    isQuick = json["quick"] == true
    isExtension = json["extension"] != false
    files = Dictionary(
      uniqueKeysWithValues: (json["files"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }
    )
    preparation = json["prepare"]?.string
    options = texts("options")
    words = texts("words")
    prints = json["prints"]?.string
    captures = texts("captures")
    remark = json[runs ? "remark" : "why"]?.string
    try #require(!words.isEmpty)
  }

  /// The line of the table in the documents.
  var row: String {
    let result = runs ? "runs" : "does not run"
    return "| \(name) | `\(package)` | \(does) | \(result) | \(remark ?? "") |"
  }

  /// Whether the packages of the trial are installed.
  var isInstalled: Bool {
    let names = ([package] + packages).joined(separator: " ")
    let query = "dpkg-query --show --showformat '${db:Status-Status}\\n' \(names)"
    // dpkg-query fails for a package that it does not know, and prints another status for one that was removed.
    return (try? runShell("\(query) > /dev/null && test -z \"$(\(query) | grep -vx installed)\"")) != nil
  }
}
