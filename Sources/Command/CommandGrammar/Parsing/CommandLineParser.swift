// SPDX-License-Identifier: Apache-2.0

extension CommandSpec {
  /// Parses the arguments of a command line, without the program's name.
  package func parse(_ words: [String]) throws(UsageError) -> ParsedCommand {
    var parser = CommandLineParser(root: self, words: words)
    return try parser.parse()
  }
}

/// The state of a parser that reads one command line from left to right.
struct CommandLineParser {
  /// The arguments, without the program's name.
  private let tokens: [String]
  /// The index of the next argument to read.
  private var index = 0
  /// The result so far.
  private var parsed: ParsedCommand
  /// The resolution of the command's name.
  private var resolver: CommandResolver
  /// The positional arguments, each with its index in the command line.
  private var positionals: [(token: String, index: Int)] = []

  /// Creates a parser that starts at the root command.
  init(root: CommandSpec, words: [String]) {
    self.tokens = words
    self.resolver = CommandResolver(root)
    self.parsed = ParsedCommand(path: resolver.path, purpose: .run)
  }

  /// Parses all arguments.
  mutating func parse() throws(UsageError) -> ParsedCommand {
    while index < tokens.count, parsed.purpose == .run {
      let token = tokens[index]
      index += 1
      if token == "--" {
        try readSeparator()
      } else if token.hasPrefix("--") {
        try readLongOption(token)
      } else if token.hasPrefix("-"), token != "-" {
        try readShortOptions(token)
      } else {
        try readPositional(token)
      }
    }
    if parsed.purpose == .run { try finish() }
    return parsed
  }

  /// Returns an error about the argument at `index`, or about a missing argument if `index` is `nil`.
  private func error(_ reason: UsageError.Reason, at index: Int? = nil) -> UsageError {
    UsageError(reason: reason, command: parsed.path.commandLine, position: index.map { $0 + 1 })
  }
}

// MARK: Options

extension CommandLineParser {
  /// Parses `--name`, `--name=value` or `--name value`.
  private mutating func readLongOption(_ token: String) throws(UsageError) {
    let position = index - 1
    let name = token.dropFirst(2).prefix { $0 != "=" }
    let value = token.firstIndex(of: "=").map { String(token[token.index(after: $0)...]) }
    guard let option = findOption(where: { $0.long == name }) else {
      throw unknownOption("--\(name)", in: token, at: position)
    }
    if option.value == nil {
      if let value { throw error(.unexpectedValue(flag: "--\(name)", value: value), at: position) }
      recordFlag(option)
    } else if let value {
      try record(value, for: option, at: position)
    } else {
      try record(try nextValue(for: option), for: option, at: position)
    }
  }

  /// Parses `-x`, several flags as `-xy`, or a value as `-xvalue`, `-x=value` or `-x value`.
  private mutating func readShortOptions(_ token: String) throws(UsageError) {
    let position = index - 1
    var letters = token.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = findOption(where: { $0.short == letter }) else {
        throw unknownOption("-\(letter)", in: token, at: position)
      }
      guard option.value != nil else {
        recordFlag(option)
        continue
      }
      if letters.isEmpty {
        try record(try nextValue(for: option), for: option, at: position)
      } else {
        let value = letters.first == "=" ? letters.dropFirst() : letters
        try record(String(value), for: option, at: position)
      }
      return
    }
  }

  /// Returns the first option that matches, or `nil` if there is none. An option of the default subcommand
  /// selects this subcommand.
  private mutating func findOption(where matches: (OptionSpec) -> Bool) -> OptionSpec? {
    if let option = parsed.path.options.first(where: matches) { return option }
    guard let leaf = parsed.path.defaultSubcommand, let option = leaf.ownOptions.first(where: matches) else {
      return nil
    }
    parsed.path = leaf
    return option
  }

  /// Consumes the next argument as the value of an option.
  ///
  /// An argument that begins with a dash is rejected: the value was probably forgotten.
  private mutating func nextValue(for option: OptionSpec) throws(UsageError) -> String {
    guard index < tokens.count else {
      throw error(.missingValue(option: option.notation, found: nil), at: index - 1)
    }
    let value = tokens[index]
    guard value == "-" || !value.hasPrefix("-") else {
      throw error(.missingValue(option: option.notation, found: value), at: index)
    }
    index += 1
    return value
  }

  /// Records the value of an option.
  private mutating func record(
    _ value: String,
    for option: OptionSpec,
    at position: Int
  ) throws(UsageError) {
    if let fault = option.value?.kind.fault(in: value) {
      throw error(.invalidValue(of: "--\(option.long)", value: value, fault), at: position)
    }
    if option.occurrence != .repeated, parsed.optionValues[option.long] != nil {
      throw error(.duplicateOption(option: "--\(option.long)"), at: position)
    }
    parsed.optionValues[option.long, default: []].append(value)
  }

  /// Records a flag. The flags `--help` and `--version` end the parsing.
  private mutating func recordFlag(_ option: OptionSpec) {
    switch option {
    case .help:
      parsed.purpose = .help
      descendToNamedCommand()
    case .version: parsed.purpose = .version
    default: parsed.flags.insert(option.long)
    }
  }

  /// Descends to the command or topic that follows `--help`, as in `darkroom --help exec`.
  private mutating func descendToNamedCommand() {
    for token in tokens[index...] where !parsed.path.command.subcommands.isEmpty {
      if token == "--" { return }
      if let topic = topic(token) {
        parsed.purpose = .topic(topic)
        return
      }
      _ = descend(to: token)
    }
  }

  /// Returns an error about an unknown option, with similar options as suggestions.
  private func unknownOption(_ option: String, in token: String, at position: Int) -> UsageError {
    let names = (parsed.path.options + (parsed.path.defaultSubcommand?.ownOptions ?? [])).map(\.long)
    let owners = parsed.path.tree.dropFirst().filter { path in
      path.command.options.contains { $0.spellings.contains(option) }
    }
    // A single letter is within the edit distance of every other letter. Therefore an option with one dash
    // matches only a long option with exactly the same name.
    let oneDash = names.filter { token == "-\($0)" }
    let near =
      option.hasPrefix("--") ? Spelling.suggestions(for: String(option.dropFirst(2)), among: names) : oneDash
    let reason = UsageError.Reason.unknownOption(
      option,
      suggestions: near.map { "--\($0)" },
      owners: owners.map(\.commandLine)
    )
    return error(reason, at: position)
  }
}

// MARK: Positional arguments

extension CommandLineParser {
  /// Parses `--`. The arguments after the separator are positional, even if they begin with a dash.
  private mutating func readSeparator() throws(UsageError) {
    if let leaf = parsed.path.defaultSubcommand { parsed.path = leaf }
    let command = parsed.path.command
    guard command.subcommands.isEmpty else {
      throw error(.missingCommand(available: command.subcommands.names), at: index - 1)
    }
    let remaining = index..<tokens.count
    if command.rest != nil {
      parsed.rest = Array(tokens[remaining])
    } else {
      positionals += remaining.map { (tokens[$0], $0) }
    }
    index = tokens.count
  }

  /// Parses the name of a subcommand, or a positional argument.
  private mutating func readPositional(_ token: String) throws(UsageError) {
    let command = parsed.path.command
    if !command.subcommands.isEmpty {
      try readCommand(token)
    } else if command.rest?.restStart == .firstWord, positionals.count >= leadingMaximum(command) {
      parsed.rest = Array(tokens[(index - 1)...])
      index = tokens.count
    } else {
      positionals.append((token, index - 1))
    }
  }

  /// Returns the maximum number of arguments before the rest argument.
  private func leadingMaximum(_ command: CommandSpec) -> Int {
    var sum = 0
    for argument in command.leadingArguments {
      guard let maximum = argument.maximum else { return .max }
      sum += maximum
    }
    return sum
  }

  /// Parses the name of a subcommand. The name `help` requests the help of the command or topic that follows.
  private mutating func readCommand(_ token: String) throws(UsageError) {
    guard !descend(to: token) else { return }
    guard token == "help" else { throw unknownCommand(token, at: index - 1) }
    parsed.purpose = .help
    while index < tokens.count {
      let token = tokens[index]
      if case .topic = parsed.purpose {
        throw error(.unexpectedArgument(token, .none), at: index)
      } else if let topic = topic(token) {
        parsed.purpose = .topic(topic)
      } else if !descend(to: token) {
        let topics = parsed.path.command.topics.map(\.name)
        throw unknownCommand(token, at: index, or: topics)
      }
      index += 1
    }
  }

  /// Descends to a subcommand and returns whether it exists. A former name is noted in the result.
  private mutating func descend(to token: String) -> Bool {
    guard resolver.descend(to: token) else { return false }
    parsed.path = resolver.path
    parsed.formerName = resolver.formerName
    return true
  }

  /// Returns the topic of the help with this name, or `nil` if there is none.
  private func topic(_ name: String) -> HelpTopic? { parsed.path.command.topics.first { $0.name == name } }

  /// Returns an error about an unknown command, with similar names as suggestions. `topics` are suggested,
  /// too.
  private func unknownCommand(_ token: String, at position: Int, or topics: [String] = []) -> UsageError {
    let names = parsed.path.command.subcommands.names
    let suggestions = Spelling.suggestions(for: token, among: names + topics)
    return error(.unknownCommand(token, suggestions: suggestions, available: names), at: position)
  }

  /// Checks that nothing is missing, and assigns the positional arguments.
  private mutating func finish() throws(UsageError) {
    if let leaf = parsed.path.defaultSubcommand { parsed.path = leaf }
    let command = parsed.path.command
    guard command.subcommands.isEmpty || command.subcommandRequirement == .optional else {
      throw error(.missingCommand(available: command.subcommands.names))
    }
    for option in parsed.path.options
    where option.occurrence == .required && parsed.optionValues[option.long] == nil {
      throw error(.missingOption(option.notation))
    }
    try assignTokens(to: command.leadingArguments)
    if let extra = positionals.first {
      let hint: UsageError.RestHint = command.rest == nil ? .none : .afterSeparator
      throw error(.unexpectedArgument(extra.token, hint), at: extra.index)
    }
    if let rest = command.rest, parsed.rest.count < rest.minimum {
      throw error(.missingArgument(rest.notation))
    }
  }

  /// Assigns to each argument, from the left, as many values as its cardinality permits.
  private mutating func assignTokens(to arguments: [ArgumentSpec]) throws(UsageError) {
    for argument in arguments {
      let count = min(argument.maximum ?? positionals.count, positionals.count)
      guard count >= argument.minimum else { throw error(.missingArgument(argument.name)) }
      for (token, position) in positionals.prefix(count) {
        guard let fault = argument.kind.fault(in: token) else { continue }
        throw error(.invalidValue(of: argument.name, value: token, fault), at: position)
      }
      parsed.argumentValues[argument.name] = positionals.prefix(count).map(\.token)
      positionals.removeFirst(count)
    }
  }
}
