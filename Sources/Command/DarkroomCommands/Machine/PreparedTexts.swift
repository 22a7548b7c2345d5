// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import LinuxPrimitives

/// The texts that `darkroom-client` prints without the full command: the help of each command and topic, and the
/// completion scripts.
///
/// `.ci/package` appends the texts to the file of the full command. An update of this file therefore replaces the
/// texts, too, and the client never prints texts of another version. `texts.c` reads the texts.
enum PreparedTexts {
  /// Returns the texts; an index with the offset and length of the text of each command line; and, in a last line of
  /// constant length, the lengths of the texts and of the index.
  static func bytes() throws(SystemCallError) -> [UInt8] {
    var texts: [UInt8] = []
    var offsets: [[UInt8]: Int] = [:]
    var index = "\n"
    for words in commandLines {
      guard let text = try output(words) else { continue }
      let offset = offsets[text] ?? texts.count
      if offset == texts.count { texts += text }
      offsets[text] = offset
      index += "\(words.joined(separator: " "))\t\(offset) \(text.count)\n"
    }
    let lengths = "\(eightDigits(texts.count)) \(eightDigits(index.utf8.count))"
    return texts + Array("\(index)darkroom-texts \(lengths)\n".utf8)
  }

  private static func eightDigits(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: 8 - text.count) + text
  }

  /// The command lines with a text, in each usual form.
  private static var commandLines: [[String]] {
    let root = CommandPath(DarkroomCommandLine.spec)
    let commands = root.tree.flatMap { command -> [[String]] in
      let names = command.names
      return [["help"] + names, ["--help"] + names, names + ["--help"], names + ["-h"]]
    }
    let topics = root.command.topics.flatMap { [["help", $0.name], ["--help", $0.name]] }
    return commands + topics + ShellCompletion.allCases.map { ["completion", $0.rawValue] }
  }

  /// Returns the output of a command line, or `nil` if the command line does not succeed.
  private static func output(_ words: [String]) throws(SystemCallError) -> [UInt8]? {
    let output = try MemoryFile.make(name: "output", size: 0)
    let console = Console(output: output.rawValue, error: 2, input: 0) { _ in nil }
    guard DarkroomCommandLine.main(words, console) == 0 else { return nil }
    try output.rewind()
    return try output.readAll(limit: 1 << 24)
  }
}
