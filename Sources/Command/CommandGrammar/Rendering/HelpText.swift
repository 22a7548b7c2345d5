// SPDX-License-Identifier: Apache-2.0

/// The help of a command, for a terminal.
package enum HelpText {
  /// Lays out the help of the command that the path leads to.
  package static func render(_ path: CommandPath, width: Int = 80) -> String {
    let command = path.command
    var layout = TextLayout(width: width)
    layout.hanging("Usage: \(path.words)", path.usage)
    layout.paragraphs(command.summary + ".", indent: 0)
    layout.paragraphs(command.discussion, indent: 0)
    section("Commands", command.subcommands.map { ($0.name, $0.summary) }, in: &layout)
    section("Arguments", command.arguments.map { ($0.notation, $0.explanation) }, in: &layout)
    section("Options", rows(command.options), in: &layout)
    section("Options of every command", rows(path.inheritedOptions), in: &layout)
    examples(command, in: &layout)
    section("Exit codes", command.exitCodes.map { ($0.code, $0.meaning) }, in: &layout)
    if !command.subcommands.isEmpty {
      layout.line()
      layout.line("'\(path.root.name) help COMMAND' shows the help of a command.")
    }
    return layout.text
  }

  /// Adds a heading and its rows, if there are any.
  private static func section(_ title: String, _ rows: [(String, String)], in layout: inout TextLayout) {
    guard !rows.isEmpty else { return }
    layout.line()
    layout.line("\(title):")
    layout.rows(rows)
  }

  /// The options; those without a letter are indented as far as the others.
  private static func rows(_ options: [OptionSpec]) -> [(String, String)] {
    options.map { (($0.short.map { "-\($0), " } ?? "    ") + $0.notation, $0.explanation) }
  }

  /// Adds the examples, each below what it does.
  private static func examples(_ command: CommandSpec, in layout: inout TextLayout) {
    guard !command.examples.isEmpty else { return }
    layout.line()
    layout.line("Examples:")
    for example in command.examples {
      layout.line("  # \(example.purpose)")
      layout.line("  \(example.command)")
    }
  }
}

extension CommandPath {
  /// What follows the command in its usage line.
  var usage: [String] {
    guard command.subcommands.isEmpty else {
      return [command.alone == .complete ? "[COMMAND]" : "COMMAND", "[OPTION]..."]
    }
    let required = command.options.filter { $0.occurrence == .required }.map(\.notation)
    return required + ["[OPTION]..."] + command.arguments.map(\.notation)
  }
}

extension OptionSpec {
  /// The help with everything that follows from the table.
  var explanation: String {
    var notes: [String] = []
    switch value?.kind {
    case .choice(let words): notes.append("one of \(words.joined(separator: ", "))")
    case .choiceOrFile(let words): notes.append("\(words.joined(separator: ", ")), or a file")
    default: break
    }
    if case .required = occurrence { notes.append("required") }
    if value != nil, occurrence == .repeated { notes.append("may be repeated") }
    if let defaultValue { notes.append("default \(defaultValue)") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}

extension ArgumentSpec {
  /// The help with everything that follows from the table.
  var explanation: String {
    kind.words.isEmpty ? help : "\(help) (one of \(kind.words.joined(separator: ", ")))"
  }
}
