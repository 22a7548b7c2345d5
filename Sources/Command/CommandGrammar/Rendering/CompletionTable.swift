// SPDX-License-Identifier: Apache-2.0

/// The data from which the completion scripts are generated: one state for each command.
struct CompletionTable {
  /// The program's name.
  let program: String
  /// The states; the root command is first.
  let states: [State]

  /// The completions of one command.
  struct State {
    /// The full command, as typed. The scripts compare it with the variable `at`.
    let key: String
    /// The subcommands.
    let commands: [Candidate]
    /// The options, including inherited ones.
    let options: [OptionSpec]
    /// The arguments before the rest argument.
    let arguments: [ArgumentSpec]
    /// The number of arguments before the rest argument, or `nil` if the command has no rest argument.
    let restPosition: Int?
    /// Whether the rest argument can begin without `--`.
    let startsWithoutSeparator: Bool
  }

  /// A completion candidate.
  struct Candidate {
    /// The text that is inserted.
    let word: String
    /// The explanation, one line.
    let explanation: String
  }

  /// Collects the states of a command and of all its subcommands.
  init(_ root: CommandSpec) {
    program = root.name
    states = CommandPath(root).tree.map(State.init)
  }

  /// The name of the shell function that completes the program's arguments.
  var functionName: String {
    "_" + program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }
}

extension CompletionTable.State {
  /// Creates the state of one command.
  init(_ path: CommandPath) {
    let command = path.command
    key = path.commandLine
    commands = command.subcommands.map { .init(word: $0.name, explanation: $0.summary) }
    options = path.options + (path.defaultSubcommand?.ownOptions ?? [])
    arguments = command.leadingArguments
    restPosition = command.rest == nil ? nil : command.leadingArguments.count
    startsWithoutSeparator = command.rest?.restStart == .firstWord
  }

  /// The options as completion candidates.
  var optionCandidates: [CompletionTable.Candidate] {
    options.flatMap { option in
      option.spellings.map { .init(word: $0, explanation: option.help) }
    }
  }

  /// The completion action for each argument position; a `nil` position matches all remaining positions.
  var argumentActions: [(position: String?, action: String)] {
    var actions = arguments.enumerated().map { index, argument in
      (argument.maximum == nil ? nil : "\(index)", argument.kind.completionAction)
    }
    if let restPosition {
      actions.append(("\(restPosition)", "command"))
      actions.append((nil, "file"))
    }
    return actions
  }
}

extension OptionSpec {
  /// The spellings of the option: the long one, then the short one if the option has one.
  var spellings: [String] { ["--\(long)"] + (short.map { ["-\($0)"] } ?? []) }
}

extension ValueKind {
  /// The completion action for a value, as a token of the generated scripts.
  var completionAction: String {
    switch self {
    case .file: "file"
    case .directory: "directory"
    case .choice(let words): "words \(words.joined(separator: " "))"
    case .choiceOrFile(let words): "either \(words.joined(separator: " "))"
    case .text, .integer, .duration, .byteCount, .assignment: "nothing"
    }
  }
}
