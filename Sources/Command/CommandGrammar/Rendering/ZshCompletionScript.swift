// SPDX-License-Identifier: Apache-2.0

/// The generator of the completion script for the Z shell.
struct ZshCompletionScript {
  /// The completion table from which the script is generated.
  let table: CompletionTable

  /// The text of the script.
  var text: String {
    let name = table.functionName
    return """
      #compdef \(table.program)
      # Completes the words of \(table.program) in zsh.

      \(ShellCompletionFunctions(table: table).text)
      # Offers what the action says.
      \(name)_offer() {
        local kind=${action%% *}
        local -a known
        [[ $action != *' '* ]] || known=(${=action#* })
        case "$kind" in
          words) _describe 'value' known ;;
          either)
            _describe 'value' known
            _files
            ;;
          directory) _files -/ ;;
          file) _files ;;
          command) _command_names ;;
        esac
      }

      \(name)() {
        local at=\(ShellCompletion.quoted(table.program)) action='' count=0 after=0 i
        local cur=${words[CURRENT]}
        local -a known
        for ((i = 2; i < CURRENT; i++)); do
          \(name)_step "${words[i]}"
        done
        if [[ -z $action && $cur == --*=* ]] && ((!after)); then
          \(name)_value "${cur%%=*}"
          compset -P '*='
        fi
        if [[ -n $action ]]; then
          \(name)_offer
        elif [[ $cur == -* ]] && ((!after)); then
          \(name)_options
          _describe -o 'option' known
        else
          \(name)_argument "$count"
          if [[ -n $action ]]; then
            \(name)_offer
          else
            \(name)_commands
            _describe 'command' known
          fi
        fi
      }

      \(words("options", \.optionCandidates))
      \(words("commands", \.commands))
      if [[ ${funcstack[1]} == \(name) ]]; then
        \(name) "$@"
      else
        compdef \(name) \(table.program)
      fi

      """
  }

  /// Returns a shell function that stores the completion candidates of the command `$at` and their
  /// explanations in `known`.
  private func words(
    _ suffix: String,
    _ candidates: (CompletionTable.State) -> [CompletionTable.Candidate]
  ) -> String {
    let lines = table.states.compactMap { state -> String? in
      let words = candidates(state).map { candidate in
        ShellCompletion.quoted("\(Self.escaped(candidate.word)):\(Self.escaped(candidate.explanation))")
      }
      let key = ShellCompletion.quoted(state.key)
      return words.isEmpty ? nil : "    \(key)) known=(\(words.joined(separator: " "))) ;;"
    }
    return """
      # Puts the \(suffix) of the command $at into known.
      \(table.functionName)_\(suffix)() {
        case "$at" in
      \((lines + ["    *) ;;"]).joined(separator: "\n"))
        esac
      }

      """
  }

  /// Returns a text with escaped colons, because a colon separates a candidate from its explanation.
  private static func escaped(_ text: String) -> String {
    text.map { $0 == ":" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }
}
