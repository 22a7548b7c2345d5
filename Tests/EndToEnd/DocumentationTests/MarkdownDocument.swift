// SPDX-License-Identifier: Apache-2.0

/// The commands and files of a Markdown document.
///
/// An `sh` block has one command per line. In a `console` block, commands follow `$ ` and all other lines are
/// output. The comment `<!-- exit N -->` before a block gives the exit code of its commands; `<!-- output -->` or
/// `<!-- exit N, output -->` marks a `console` block whose output is compared; `<!-- file: PATH -->` marks the
/// block as a file.
struct MarkdownDocument {
  /// An action of the reader.
  enum Step: Hashable {
    /// Run a command that exits with the given code.
    case command(String, exitCode: Int)
    /// Write a file.
    case file(path: String, text: String)
  }

  /// The document's path relative to the package directory.
  let path: String
  /// All steps with their line numbers, starting at 1.
  private(set) var steps: [(line: Int, step: Step)] = []
  /// The documented output of each command in a block that is marked with `output`, by the command's line number.
  private(set) var outputs: [Int: [String]] = [:]
  /// Every fenced code block: its language and lines.
  private(set) var blocks: [(language: String, lines: [String])] = []

  private var comment = ""

  /// Creates a document from its text.
  init(path: String, text: String) {
    self.path = path
    var block: (language: String, first: Int, lines: [String])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = String(line)
      if let open = block, line == "```" {
        appendBlock(open.language, open.first, open.lines)
        block = nil
      } else if block != nil {
        block?.lines.append(line)
      } else if line.hasPrefix("```") {
        block = (String(line.dropFirst(3)), index + 2, [])
      } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
        comment = String(line.dropFirst(5).dropLast(4))
      } else if !line.isEmpty {
        comment = ""
      }
    }
  }

  private mutating func appendBlock(_ language: String, _ first: Int, _ lines: [String]) {
    blocks.append((language, lines))
    let note = comment
    comment = ""
    if note.hasPrefix("file: ") {
      let text = lines.map { "\($0)\n" }.joined()
      steps.append((first, .file(path: String(note.dropFirst("file: ".count)), text: text)))
      return
    }
    guard language == "sh" || language == "console" else { return }
    let marks = note.split { $0 == "," || $0 == " " }
    let exitCode = marks.first == "exit" ? Int(marks.dropFirst().first ?? "") ?? -1 : 0
    var commandLine: Int?
    for (offset, line) in lines.enumerated() {
      if let command = Self.command(line, language) {
        commandLine = first + offset
        steps.append((first + offset, .command(command, exitCode: exitCode)))
        if marks.last == "output" { outputs[first + offset] = [] }
      } else if let commandLine {
        outputs[commandLine]?.append(line)
      }
    }
  }

  /// Returns the command in a line of a code block, or `nil` if the line is not a command.
  private static func command(_ line: String, _ language: String) -> String? {
    let isCommand = language == "sh" ? !line.isEmpty && !line.hasPrefix("#") : line.hasPrefix("$ ")
    guard isCommand else { return nil }
    return language == "sh" ? line : String(line.dropFirst(2))
  }
}
