// SPDX-License-Identifier: Apache-2.0

/// What a shell has to know to complete a command line: one state for each command.
struct CompletionTable {
  /// The program's name.
  let program: String
  /// The states, the topmost command first.
  let states: [State]

  /// What can stand after the words of one command.
  struct State {
    /// The words of the command; the shell compares with them.
    let key: String
    /// The commands below.
    let commands: [Candidate]
    /// The options, the inherited ones too.
    let options: [OptionSpec]
    /// The arguments.
    let arguments: [ArgumentSpec]
    /// The number of words before the untouched ones, if there are any.
    let restPosition: Int?
    /// Whether the untouched words can begin without `--`.
    let startsUnmarked: Bool
  }

  /// A word that a shell offers, and its explanation.
  struct Candidate {
    /// The word.
    let word: String
    /// One line.
    let explanation: String
  }

  /// Gathers the states of a command and all below it.
  init(_ root: CommandSpec) {
    program = root.name
    states = CommandPath(root).tree.map(State.init)
  }

  /// A name for a function of the shell.
  var functionName: String {
    "_" + program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }
}

extension CompletionTable.State {
  /// Gathers one state.
  init(_ path: CommandPath) {
    let command = path.command
    key = path.words
    commands = command.subcommands.map { .init(word: $0.name, explanation: $0.summary) }
    options = path.options
    arguments = command.ordinaryArguments
    restPosition = command.rest == nil ? nil : command.ordinaryArguments.count
    startsUnmarked = command.rest?.restStart == .firstWord
  }

  /// The options as words to offer.
  var optionCandidates: [CompletionTable.Candidate] {
    options.flatMap { option in
      option.spellings.map { .init(word: $0, explanation: option.help) }
    }
  }

  /// The patterns of a word's position, and how a word at that position is completed.
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
  /// The ways to write the option.
  var spellings: [String] { ["--\(long)"] + (short.map { ["-\($0)"] } ?? []) }
}

extension ValueKind {
  /// How a shell completes the value, in the words of the generated scripts.
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
