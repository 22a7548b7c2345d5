// SPDX-License-Identifier: Apache-2.0

/// A document as far as a reader has to do something: what to type and what to write.
///
/// A block of `sh` holds one command a line; in a block of `console` a command follows `$ `, and the rest is what it
/// prints. The comment `<!-- exit N -->` before a block says how its commands end, `<!-- file: PATH -->` that the block
/// is a file.
struct MarkdownDocument {
  /// One thing that a reader does.
  enum Step: Hashable {
    /// Types a command, which ends with an exit code.
    case command(String, exitCode: Int)
    /// Writes a file.
    case file(path: String, text: String)
  }

  /// The document's path from the package's folder.
  let path: String
  /// Everything that is to be done, with the line where it stands, from 1.
  private(set) var steps: [(line: Int, step: Step)] = []
  /// Every fenced block: its language and its lines.
  private(set) var blocks: [(language: String, lines: [String])] = []

  private var comment = ""

  /// Reads a document.
  init(path: String, text: String) {
    self.path = path
    var block: (language: String, first: Int, lines: [String])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = String(line)
      if let open = block, line == "```" {
        take(open.language, open.first, open.lines)
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

  private mutating func take(_ language: String, _ first: Int, _ lines: [String]) {
    blocks.append((language, lines))
    let note = comment
    comment = ""
    if note.hasPrefix("file: ") {
      let text = lines.map { "\($0)\n" }.joined()
      steps.append((first, .file(path: String(note.dropFirst("file: ".count)), text: text)))
      return
    }
    guard language == "sh" || language == "console" else { return }
    let exitCode = note.hasPrefix("exit ") ? Int(note.dropFirst("exit ".count)) ?? -1 : 0
    for (offset, line) in lines.enumerated() {
      guard let command = Self.command(line, language) else { continue }
      steps.append((first + offset, .command(command, exitCode: exitCode)))
    }
  }

  /// The command in a line; nil if it has none.
  private static func command(_ line: String, _ language: String) -> String? {
    let isCommand = language == "sh" ? !line.isEmpty && !line.hasPrefix("#") : line.hasPrefix("$ ")
    guard isCommand else { return nil }
    return language == "sh" ? line : String(line.dropFirst(2))
  }
}
