// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import JSONText
import LinuxPrimitives
import Testing

/// The result of a command line.
struct CommandResult {
  /// The exit code.
  let code: Int32
  /// The standard output.
  let output: String
  /// The standard error.
  let errorOutput: String

  /// The lines of the standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The standard output as one JSON document.
  var json: JSONValue {
    get throws { try JSONNode.parse(output, limits: .record).value }
  }

  /// Runs a command line in this process with an empty environment.
  static func run(_ words: [String], input: String = "") throws -> CommandResult {
    let output = try MemoryFile.make(name: "output", size: 0)
    let notes = try MemoryFile.make(name: "notes", size: 0)
    let inputFile = try MemoryFile.makeSealed(name: "input", bytes: Array(input.utf8))
    let console = Console(
      output: output.rawValue,
      error: notes.rawValue,
      input: inputFile.rawValue,
      environment: { _ in nil }
    )
    let code = DarkroomCommandLine.main(words, console)
    return CommandResult(code: code, output: try text(output), errorOutput: try text(notes))
  }

  /// Returns the contents of a memory file.
  static func text(_ file: borrowing Descriptor) throws -> String {
    try file.rewind()
    return String(decoding: try #require(try file.readAll(limit: 1 << 24)), as: UTF8.self)
  }
}
