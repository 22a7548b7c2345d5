// SPDX-License-Identifier: Apache-2.0

/// The help of a command, formatted for a terminal.
package enum HelpText {
  /// Returns the help of the command at the end of a path, wrapped at `width` columns.
  package static func render(_ path: CommandPath, width: Int = 80) -> String {
    let command = path.command
    var layout = TextLayout(width: width)
    layout.hanging("Usage: \(path.commandLine)", path.usage)
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

  /// Adds a heading and its rows, unless there are no rows.
  private static func section(_ title: String, _ rows: [(String, String)], in layout: inout TextLayout) {
    guard !rows.isEmpty else { return }
    layout.line()
    layout.line("\(title):")
    layout.rows(rows)
  }

  /// Returns the rows of a list of options. Options without a short form are indented to align with the
  /// others.
  private static func rows(_ options: [OptionSpec]) -> [(String, String)] {
    options.map { (($0.short.map { "-\($0), " } ?? "    ") + $0.notation, $0.explanation) }
  }

  /// Adds the examples, each below its purpose.
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
  /// The part of the usage line after the command.
  var usage: [String] {
    guard command.subcommands.isEmpty else {
      return [command.subcommandRequirement == .optional ? "[COMMAND]" : "COMMAND", "[OPTION]..."]
    }
    let required = command.options.filter { $0.occurrence == .required }.map(\.notation)
    return required + ["[OPTION]..."] + command.arguments.map(\.notation)
  }
}

extension OptionSpec {
  /// The help text, followed by the choices, occurrence and default value from the spec.
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
  /// The help text, followed by the choices from the spec.
  var explanation: String {
    kind.words.isEmpty ? help : "\(help) (one of \(kind.words.joined(separator: ", ")))"
  }
}
