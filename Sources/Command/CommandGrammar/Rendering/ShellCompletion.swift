// SPDX-License-Identifier: Apache-2.0

/// The shells for which a completion script can be generated.
package enum ShellCompletion: String, Sendable, CaseIterable {
  /// GNU Bash. The script does not require the bash-completion package.
  case bash
  /// The Z shell. The script is installed in a directory of `fpath`.
  case zsh
  /// The fish shell.
  case fish

  /// Returns the completion script for a command and all its subcommands.
  package func script(_ root: CommandSpec) -> String {
    let table = CompletionTable(root)
    return switch self {
    case .bash: BashCompletionScript(table: table).text
    case .zsh: ZshCompletionScript(table: table).text
    case .fish: FishCompletionScript(table: table).text
    }
  }

  /// Returns a word in single quotes, escaped for Bash and the Z shell.
  static func quoted(_ word: String) -> String {
    "'" + word.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}

/// The shell functions that the scripts for Bash and the Z shell share. They follow the arguments to the last
/// command.
struct ShellCompletionFunctions {
  /// The completion table from which the functions are generated.
  let table: CompletionTable

  /// The text of the functions.
  var text: String { [valueAction, argumentAction, step].joined(separator: "\n") }

  /// A function that sets `action` if an argument is an option that needs a value.
  private var valueAction: String {
    function("value", comment: "Sets the action for the value of option $1 of command $at.") { state in
      state.options.compactMap { option -> (pattern: String, command: String)? in
        guard let value = option.value else { return nil }
        let action = ShellCompletion.quoted(value.kind.completionAction)
        return (state.patterns(option.spellings), "action=\(action)")
      }
    }
  }

  /// A function that sets `action` for the argument at position `count`.
  private var argumentAction: String {
    function("argument", comment: "Sets the action for argument $1 of command $at.") {
      state in
      state.argumentActions.map { position, action in
        let key = ShellCompletion.quoted("\(state.key):\(position ?? "")") + (position == nil ? "*" : "")
        return (key, "action=\(ShellCompletion.quoted(action))")
      }
    }
  }

  /// A function that consumes one argument.
  private var step: String {
    let name = table.functionName
    return """
      # Goes past the word $1.
      \(name)_step() {
        if [[ -n $action ]]; then
          [[ $1 == '=' ]] || action=''
          return
        fi
        if ((after)); then
          count=$((count + 1))
          return
        fi
        \(name)_value "$1"
        [[ -z $action ]] || return 0
        case "$at:$1" in
      \(commandCases)
          *:--)
            after=1
            case "$at" in
      \(restCases)
              *) ;;
            esac
            ;;
          *:-?*) ;;
          *)
            case "$at:$count" in
      \(withoutSeparatorCases)
              *) ;;
            esac
            count=$((count + 1))
            ;;
        esac
      }

      """
  }

  /// The `case` branches that descend to a subcommand.
  private var commandCases: String {
    table.states.flatMap { state in
      state.commands.map {
        "    \(state.patterns([$0.word]))) at=\(ShellCompletion.quoted("\(state.key) \($0.word)")) ;;"
      }
    }.joined(separator: "\n")
  }

  /// The `case` branches that set the position to the first argument after `--`.
  private var restCases: String {
    table.states.compactMap { state in
      state.restPosition.map { "        \(ShellCompletion.quoted(state.key))) count=\($0) ;;" }
    }.joined(separator: "\n")
  }

  /// The `case` branches that detect a rest argument that begins without `--`.
  private var withoutSeparatorCases: String {
    table.states.compactMap { state in
      guard let position = state.restPosition, state.startsWithoutSeparator else { return nil }
      return "        \(ShellCompletion.quoted("\(state.key):\(position)"))) after=1 ;;"
    }.joined(separator: "\n")
  }

  /// Returns a shell function that consists of one `case` statement.
  private func function(
    _ suffix: String,
    comment: String,
    rows: (CompletionTable.State) -> [(pattern: String, command: String)]
  ) -> String {
    let lines = table.states.flatMap(rows).map { "    \($0.pattern)) \($0.command) ;;" }
    return """
      # \(comment)
      \(table.functionName)_\(suffix)() {
        case "$at:$1" in
      \((lines + ["    *) ;;"]).joined(separator: "\n"))
        esac
      }

      """
  }
}

extension CompletionTable.State {
  /// Returns the patterns that match the given arguments after the command.
  func patterns(_ words: [String]) -> String {
    words.map { ShellCompletion.quoted("\(key):\($0)") }.joined(separator: " | ")
  }
}
