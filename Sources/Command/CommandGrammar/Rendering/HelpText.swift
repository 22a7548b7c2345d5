// SPDX-License-Identifier: Apache-2.0

/// The help of a command or of a topic, formatted for a terminal.
package enum HelpText {
  /// Returns the help of the command at the end of a path, wrapped at `width` columns.
  package static func render(_ path: CommandPath, width: Int = 80) -> String {
    let command = path.command
    var layout = TextLayout(width: width)
    layout.hanging("Usage: \(path.commandLine)", path.usage)
    layout.paragraphs(command.summary + ".", indent: 0)
    layout.paragraphs(command.discussion, indent: 0)
    commands(path, in: &layout)
    section("Arguments", command.arguments.map { ($0.notation, $0.explanation) }, in: &layout)
    section("Options", rows(path.ownOptions), in: &layout)
    if path.names.isEmpty {
      let title = command.subcommands.isEmpty ? "Options" : "Options of every command"
      section(title, rows(path.commonOptions), in: &layout)
    } else {
      layout.paragraphs("\(path.commonOptionsText) (see '\(path.root.name) help').", indent: 0)
    }
    examples(command, in: &layout)
    section("Exit codes", path.exitCodes.map { ($0.code, $0.meaning) }, in: &layout)
    hints(path, in: &layout)
    return layout.text
  }

  /// Returns the text of a topic of a command, wrapped at `width` columns.
  package static func render(_ topic: HelpTopic, of path: CommandPath, width: Int = 80) -> String {
    var layout = TextLayout(width: width)
    let sections = path.sections(of: topic)
    let termWidth = TextLayout.termWidth(sections.flatMap(\.rows).map(\.term))
    for section in sections {
      if !layout.lines.isEmpty { layout.line() }
      layout.line("\(section.title):")
      layout.rows(section.rows, termWidth: termWidth)
    }
    layout.line()
    layout.line("'\(path.helpCommand) COMMAND' describes a command.")
    return layout.text
  }

  /// Adds the subcommands: all of them, or, if the command has groups, the main commands of each group.
  private static func commands(_ path: CommandPath, in layout: inout TextLayout) {
    let groups = path.command.topics.filter { !$0.commands.isEmpty }
    guard !groups.isEmpty else {
      section("Commands", path.command.subcommands.map { ($0.name, $0.summary) }, in: &layout)
      return
    }
    let termWidth = TextLayout.termWidth(groups.flatMap(\.mainCommands))
    layout.line()
    for group in groups {
      layout.line("\(group.title) ('\(path.helpCommand) \(group.name)'):")
      layout.rows(path.rows(group.mainCommands), termWidth: termWidth)
      if !group.otherCommands.isEmpty {
        let last = group.otherCommands.count - 1
        layout.hanging(
          "  more:",
          group.otherCommands.enumerated().map { $0.offset < last ? "\($0.element)," : $0.element }
        )
      }
    }
  }

  /// Adds the commands that print more help.
  private static func hints(_ path: CommandPath, in layout: inout TextLayout) {
    guard !path.command.subcommands.isEmpty else { return }
    layout.line()
    let topics = path.command.topics.map(\.name)
    guard !topics.isEmpty else {
      layout.line("'\(path.helpCommand) COMMAND' describes a command.")
      return
    }
    layout.line("'\(path.helpCommand) COMMAND' describes a command, '\(path.helpCommand) TOPIC' a topic.")
    layout.line("Topics: \(topics.joined(separator: ", ")).")
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

extension HelpTopic {
  /// The names of the commands that the help of the parent command describes.
  fileprivate var mainCommands: [String] {
    if case .commands(let main, _) = content { main } else { [] }
  }

  /// The names of the commands that the help of the parent command only names.
  fileprivate var otherCommands: [String] {
    if case .commands(_, let others) = content { others } else { [] }
  }
}

extension CommandPath {
  /// The command that prints help about the command at the end of the path.
  fileprivate var helpCommand: String { ([root.name, "help"] + names).joined(separator: " ") }

  /// Returns the names and summaries of subcommands.
  fileprivate func rows(_ names: [String]) -> [(term: String, text: String)] {
    names.compactMap { name in command.subcommands[name].map { (name, $0.summary) } }
  }

  /// Returns the headings and rows of a topic.
  fileprivate func sections(of topic: HelpTopic) -> [(title: String, rows: [(term: String, text: String)])] {
    switch topic.content {
    case .commands: [(topic.title, rows(topic.commands))]
    case .allCommands: command.topics.filter { !$0.commands.isEmpty }.flatMap(sections)
    case .exitCodes(let codes): [(topic.title, codes.map { ($0.code, $0.meaning) })]
    }
  }

  /// One line that names the options that every command has.
  var commonOptionsText: String {
    let options = commonOptions.map { option in
      (option.short.map { "-\($0), " } ?? "") + option.notation
    }
    return "Options of every command: " + options.joined(separator: ", ")
  }

  /// The part of the usage line after the command.
  var usage: [String] {
    guard command.subcommands.isEmpty else {
      return [command.subcommandRequirement == .required ? "COMMAND" : "[COMMAND]", "[OPTION]..."]
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
