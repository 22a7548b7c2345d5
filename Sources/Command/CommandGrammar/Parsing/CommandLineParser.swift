// SPDX-License-Identifier: Apache-2.0

extension CommandSpec {
  /// Parses the arguments of a command line, without the program's name.
  package func parse(_ words: [String]) throws(UsageError) -> ParsedCommand {
    var parser = CommandLineParser(path: CommandPath(self), words: words)
    return try parser.parse()
  }
}

/// The state of a parser that reads one command line from left to right.
struct CommandLineParser {
  /// The arguments, without the program's name.
  private let words: [String]
  /// The index of the next argument to read.
  private var index = 0
  /// The result so far.
  private var parsed: ParsedCommand
  /// The positional arguments, each with its index in the command line.
  private var positionals: [(word: String, index: Int)] = []

  /// Creates a parser that starts at the root command.
  init(path: CommandPath, words: [String]) {
    self.words = words
    self.parsed = ParsedCommand(path: path, purpose: .run)
  }

  /// Parses all arguments.
  mutating func parse() throws(UsageError) -> ParsedCommand {
    while index < words.count, parsed.purpose == .run {
      let word = words[index]
      index += 1
      if word == "--" {
        try readSeparator()
      } else if word.hasPrefix("--") {
        try readLong(word)
      } else if word.hasPrefix("-"), word != "-" {
        try readShorts(word)
      } else {
        try readPositional(word)
      }
    }
    if parsed.purpose == .run { try finish() }
    return parsed
  }

  /// Returns an error about the argument at `index`, or about a missing argument if `index` is `nil`.
  private func error(_ reason: UsageError.Reason, at index: Int? = nil) -> UsageError {
    UsageError(reason: reason, command: parsed.path.words, position: index.map { $0 + 1 })
  }
}

// MARK: Options

extension CommandLineParser {
  /// Parses `--name`, `--name=value` or `--name value`.
  private mutating func readLong(_ word: String) throws(UsageError) {
    let place = index - 1
    let name = word.dropFirst(2).prefix { $0 != "=" }
    let value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
    guard let option = parsed.path.options.first(where: { $0.long == name }) else {
      throw unknownOption("--\(name)", in: word, at: place)
    }
    if option.value == nil {
      if let value { throw error(.unexpectedValue(flag: "--\(name)", value: value), at: place) }
      raise(option)
    } else if let value {
      try record(value, for: option, at: place)
    } else {
      try record(try nextValue(for: option), for: option, at: place)
    }
  }

  /// Parses `-x`, several flags as `-xy`, or a value as `-xvalue`, `-x=value` or `-x value`.
  private mutating func readShorts(_ word: String) throws(UsageError) {
    let place = index - 1
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = parsed.path.options.first(where: { $0.short == letter }) else {
        throw unknownOption("-\(letter)", in: word, at: place)
      }
      guard option.value != nil else {
        raise(option)
        continue
      }
      if letters.isEmpty {
        try record(try nextValue(for: option), for: option, at: place)
      } else {
        let value = letters.first == "=" ? letters.dropFirst() : letters
        try record(String(value), for: option, at: place)
      }
      return
    }
  }

  /// Consumes the next argument as the value of an option.
  ///
  /// An argument that begins with a dash is rejected: the value was probably forgotten.
  private mutating func nextValue(for option: OptionSpec) throws(UsageError) -> String {
    guard index < words.count else {
      throw error(.missingValue(option: option.notation, found: nil), at: index - 1)
    }
    let value = words[index]
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
    at place: Int
  ) throws(UsageError) {
    if let fault = option.value?.kind.fault(in: value) {
      throw error(.invalidValue(of: "--\(option.long)", value: value, fault), at: place)
    }
    if option.occurrence != .repeated, parsed.optionValues[option.long] != nil {
      throw error(.givenTwice(option: "--\(option.long)"), at: place)
    }
    parsed.optionValues[option.long, default: []].append(value)
  }

  /// Records a flag. The flags `--help` and `--version` end the parsing.
  private mutating func raise(_ option: OptionSpec) {
    switch option {
    case .help:
      parsed.purpose = .help
      descendFurther()
    case .version: parsed.purpose = .version
    default: parsed.flags.insert(option.long)
    }
  }

  /// Descends to the command that follows `--help`, as in `darkroom --help exec`.
  private mutating func descendFurther() {
    for word in words[index...] where !parsed.path.command.subcommands.isEmpty {
      if word == "--" { return }
      _ = parsed.path.descend(to: word)
    }
  }

  /// Returns an error about an unknown option, with similar options as suggestions.
  private func unknownOption(_ option: String, in word: String, at place: Int) -> UsageError {
    let names = parsed.path.options.map(\.long)
    let owners = parsed.path.tree.dropFirst().filter { path in
      path.command.options.contains { $0.spellings.contains(option) }
    }
    // A single letter is within the edit distance of every other letter. Therefore an option with one dash
    // matches only a long option with exactly the same name.
    let oneDash = names.filter { word == "-\($0)" }
    let near =
      option.hasPrefix("--") ? Spelling.suggestions(for: String(option.dropFirst(2)), among: names) : oneDash
    let reason = UsageError.Reason.unknownOption(
      option,
      suggestions: near.map { "--\($0)" },
      owners: owners.map(\.words)
    )
    return error(reason, at: place)
  }
}

// MARK: Positional arguments

extension CommandLineParser {
  /// Parses `--`. The arguments after the separator are positional, even if they begin with a dash.
  private mutating func readSeparator() throws(UsageError) {
    let command = parsed.path.command
    guard command.subcommands.isEmpty else {
      throw error(.missingCommand(available: command.subcommands.names), at: index - 1)
    }
    let remaining = index..<words.count
    if command.rest != nil {
      parsed.rest = Array(words[remaining])
    } else {
      positionals += remaining.map { (words[$0], $0) }
    }
    index = words.count
  }

  /// Parses the name of a subcommand, or a positional argument.
  private mutating func readPositional(_ word: String) throws(UsageError) {
    let command = parsed.path.command
    if !command.subcommands.isEmpty {
      try readCommand(word)
    } else if command.rest?.restStart == .firstWord, positionals.count >= ordinaryMaximum(command) {
      parsed.rest = Array(words[(index - 1)...])
      index = words.count
    } else {
      positionals.append((word, index - 1))
    }
  }

  /// Returns the maximum number of arguments before the rest argument.
  private func ordinaryMaximum(_ command: CommandSpec) -> Int {
    var sum = 0
    for argument in command.ordinaryArguments {
      guard let maximum = argument.maximum else { return .max }
      sum += maximum
    }
    return sum
  }

  /// Parses the name of a subcommand. The name `help` requests the help of the command that follows.
  private mutating func readCommand(_ word: String) throws(UsageError) {
    guard !parsed.path.descend(to: word) else { return }
    guard word == "help" else { throw unknownCommand(word, at: index - 1) }
    parsed.purpose = .help
    while index < words.count {
      guard parsed.path.descend(to: words[index]) else { throw unknownCommand(words[index], at: index) }
      index += 1
    }
  }

  /// Returns an error about an unknown command, with similar names as suggestions.
  private func unknownCommand(_ word: String, at place: Int) -> UsageError {
    let names = parsed.path.command.subcommands.names
    let suggestions = Spelling.suggestions(for: word, among: names)
    return error(.unknownCommand(word, suggestions: suggestions, available: names), at: place)
  }

  /// Checks that nothing is missing, and assigns the positional arguments.
  private mutating func finish() throws(UsageError) {
    let command = parsed.path.command
    guard command.subcommands.isEmpty || command.alone == .complete else {
      throw error(.missingCommand(available: command.subcommands.names))
    }
    for option in parsed.path.options
    where option.occurrence == .required && parsed.optionValues[option.long] == nil {
      throw error(.missingOption(option.notation))
    }
    try assignWords(to: command.ordinaryArguments)
    if let extra = positionals.first {
      let hint: UsageError.RestHint = command.rest == nil ? .none : .afterSeparator
      throw error(.unexpectedArgument(extra.word, hint), at: extra.index)
    }
    if let rest = command.rest, parsed.rest.count < rest.minimum {
      throw error(.missingArgument(rest.notation))
    }
  }

  /// Assigns to each argument, from the left, as many values as its cardinality permits.
  private mutating func assignWords(to arguments: [ArgumentSpec]) throws(UsageError) {
    for argument in arguments {
      let count = min(argument.maximum ?? positionals.count, positionals.count)
      guard count >= argument.minimum else { throw error(.missingArgument(argument.name)) }
      for (word, place) in positionals.prefix(count) {
        guard let fault = argument.kind.fault(in: word) else { continue }
        throw error(.invalidValue(of: argument.name, value: word, fault), at: place)
      }
      parsed.argumentWords[argument.name] = positionals.prefix(count).map(\.word)
      positionals.removeFirst(count)
    }
  }
}
