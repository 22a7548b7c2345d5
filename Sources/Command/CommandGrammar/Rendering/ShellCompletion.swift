// SPDX-License-Identifier: Apache-2.0

/// Scripts that teach a shell to complete the words of a command.
package enum ShellCompletion: String, Sendable, CaseIterable {
  /// GNU Bash, without the bash-completion package.
  case bash
  /// The Z shell; the file stands in a directory of `fpath`.
  case zsh
  /// The fish shell.
  case fish

  /// The script for the command and all its subcommands.
  package func script(_ root: CommandSpec) -> String {
    let table = CompletionTable(root)
    return switch self {
    case .bash: BashScript(table: table).text
    case .zsh: ZshScript(table: table).text
    case .fish: FishScript(table: table).text
    }
  }

  /// The word in single quotes, as Bash and the Z shell read it.
  static func quoted(_ word: String) -> String {
    "'" + word.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}

/// What Bash and the Z shell have in common: functions that follow the words to the last command.
struct SharedShellFunctions {
  /// What the functions know.
  let table: CompletionTable

  /// The functions.
  var text: String { [valueAction, argumentAction, step].joined(separator: "\n") }

  /// A function that sets `action` if a word is an option that needs a value.
  private var valueAction: String {
    function("value", comment: "How the value of the option $1 of the command $at is completed.") { state in
      state.options.compactMap { option -> (pattern: String, command: String)? in
        guard let value = option.value else { return nil }
        let action = ShellCompletion.quoted(value.kind.completionAction)
        return (state.patterns(option.spellings), "action=\(action)")
      }
    }
  }

  /// A function that sets `action` for the word at position `count`.
  private var argumentAction: String {
    function("argument", comment: "How the word at the position $1 of the command $at is completed.") {
      state in
      state.argumentActions.map { position, action in
        let key = ShellCompletion.quoted("\(state.key):\(position ?? "")") + (position == nil ? "*" : "")
        return (key, "action=\(ShellCompletion.quoted(action))")
      }
    }
  }

  /// A function that goes one word further.
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
      \(unmarkedCases)
              *) ;;
            esac
            count=$((count + 1))
            ;;
        esac
      }

      """
  }

  /// The lines that go down to a subcommand.
  private var commandCases: String {
    table.states.flatMap { state in
      state.commands.map {
        "    \(state.patterns([$0.word]))) at=\(ShellCompletion.quoted("\(state.key) \($0.word)")) ;;"
      }
    }.joined(separator: "\n")
  }

  /// The lines that go to the position of the first untouched word.
  private var restCases: String {
    table.states.compactMap { state in
      state.restPosition.map { "        \(ShellCompletion.quoted(state.key))) count=\($0) ;;" }
    }.joined(separator: "\n")
  }

  /// The lines that notice an untouched word without `--`.
  private var unmarkedCases: String {
    table.states.compactMap { state in
      guard let position = state.restPosition, state.startsUnmarked else { return nil }
      return "        \(ShellCompletion.quoted("\(state.key):\(position)"))) after=1 ;;"
    }.joined(separator: "\n")
  }

  /// A function that is one table of patterns and what to do.
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
  /// Patterns that match these words after the command.
  func patterns(_ words: [String]) -> String {
    words.map { ShellCompletion.quoted("\(key):\($0)") }.joined(separator: " | ")
  }
}
