// SPDX-License-Identifier: Apache-2.0

/// The generator of the completion script for the fish shell.
struct FishCompletionScript {
  /// The completion table from which the script is generated.
  let table: CompletionTable

  /// The text of the script.
  var text: String {
    let name = "_" + table.functionName
    return """
      # Completes the words of \(table.program) in fish.

      # Prints the action for the value of option $argv[2] of command $argv[1].
      function \(name)_value
          switch "$argv[1]:$argv[2]"
      \(valueCases)
          end
      end

      # Prints the completions of an action.
      function \(name)_offer
          set -l parts (string split ' ' -- $argv[1])
          switch $parts[1]
              case words
                  printf '%s\\n' $parts[2..-1]
              case either
                  printf '%s\\n' $parts[2..-1]
                  __fish_complete_path
              case directory
                  __fish_complete_directories
              case file
                  __fish_complete_path
              case command
                  __fish_complete_command
          end
      end

      function \(name)
          set -l at \(Self.quoted(table.program))
          set -l action ''
          set -l count 0
          set -l after 0
          set -l words (commandline -opc)
          set -l cur (commandline -ct)
          for word in $words[2..-1]
              if test -n "$action"
                  set action ''
                  continue
              end
              if test $after = 1
                  set count (math $count + 1)
                  continue
              end
              set action (\(name)_value $at $word)
              test -n "$action"; and continue
              switch "$at:$word"
      \(commandCases)
                  case '*:--'
                      set after 1
                      switch $at
      \(restCases)
                      end
                  case '*:-?*'
                  case '*'
                      switch "$at:$count"
      \(withoutSeparatorCases)
                      end
                      set count (math $count + 1)
              end
          end
          if test -z "$action" -a $after = 0; and string match -q -- '--*=*' $cur
              set action (\(name)_value $at (string split -m 1 '=' -- $cur)[1])
              set -l option (string split -m 1 '=' -- $cur)[1]
              for candidate in (\(name)_offer "$action")
                  echo "$option=$candidate"
              end
              return
          end
          if test -n "$action"
              \(name)_offer $action
              return
          end
          if test $after = 0; and string match -q -- '-*' $cur
              \(name)_options $at
              return
          end
          switch "$at:$count"
      \(argumentCases)
              case '*'
                  \(name)_commands $at
          end
      end

      \(words("options", \.optionCandidates))
      \(words("commands", \.commands))
      complete -c \(table.program) -f -a '(\(name))'

      """
  }

  /// The `switch` cases that select the completion action of an option's value.
  private var valueCases: String {
    rows(8) { state in
      state.options.compactMap { option in
        guard let value = option.value else { return nil }
        let keys = option.spellings.map { Self.quoted("\(state.key):\($0)") }.joined(separator: " ")
        return (keys, "echo \(Self.quoted(value.kind.completionAction))")
      }
    }
  }

  /// The `switch` cases that descend to a subcommand.
  private var commandCases: String {
    rows(12) { state in
      state.commands.map {
        (Self.quoted("\(state.key):\($0.word)"), "set at \(Self.quoted("\(state.key) \($0.word)"))")
      }
    }
  }

  /// The `switch` cases that set the position to the first argument after `--`.
  private var restCases: String {
    rows(16) { state in state.restPosition.map { [(Self.quoted(state.key), "set count \($0)")] } ?? [] }
  }

  /// The `switch` cases that detect a rest argument that begins without `--`.
  private var withoutSeparatorCases: String {
    rows(16) { state in
      guard let position = state.restPosition, state.startsWithoutSeparator else { return [] }
      return [(Self.quoted("\(state.key):\(position)"), "set after 1")]
    }
  }

  /// The `switch` cases that select the completion action of an argument.
  private var argumentCases: String {
    rows(8) { state in
      state.argumentActions.map { position, action in
        (
          Self.quoted("\(state.key):\(position ?? "*")"),
          "_\(table.functionName)_offer \(Self.quoted(action))"
        )
      }
    }
  }

  /// Returns a shell function that prints the completion candidates of the command `$argv[1]` with their
  /// explanations.
  private func words(
    _ suffix: String,
    _ candidates: (CompletionTable.State) -> [CompletionTable.Candidate]
  ) -> String {
    let cases = rows(8) { state in
      let lines = candidates(state).map { Self.quoted("\($0.word)\t\($0.explanation)") }
      return lines.isEmpty ? [] : [(Self.quoted(state.key), "printf '%s\\n' \(lines.joined(separator: " "))")]
    }
    return """
      # Prints the \(suffix) of the command $argv[1].
      function _\(table.functionName)_\(suffix)
          switch $argv[1]
      \(cases)
          end
      end

      """
  }

  /// Returns the cases of a `switch` statement, indented by `indent` spaces.
  private func rows(
    _ indent: Int,
    _ cases: (CompletionTable.State) -> [(keys: String, command: String)]
  ) -> String {
    let margin = String(repeating: " ", count: indent)
    return table.states.flatMap(cases).map { "\(margin)case \($0.keys)\n\(margin)    \($0.command)" }
      .joined(separator: "\n")
  }

  /// Returns a word in single quotes, escaped for fish.
  private static func quoted(_ word: String) -> String {
    "'" + word.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
