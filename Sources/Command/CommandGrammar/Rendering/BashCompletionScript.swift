// SPDX-License-Identifier: Apache-2.0

/// The generator of the completion script for GNU Bash.
struct BashCompletionScript {
  /// The completion table from which the script is generated.
  let table: CompletionTable

  /// The text of the script.
  var text: String {
    let name = table.functionName
    return """
      # Completes the words of \(table.program) in bash.
      # shellcheck shell=bash

      \(ShellCompletionFunctions(table: table).text)
      # Offers what the action says.
      \(name)_offer() {
        local kind=${action%% *} words=''
        [[ $action != *' '* ]] || words=${action#* }
        case "$kind" in
          words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
          either) mapfile -t COMPREPLY < <(compgen -f -W "$words" -- "$cur") ;;
          directory) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
          file) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
          command) mapfile -t COMPREPLY < <(compgen -c -- "$cur") ;;
        esac
        # Outside a completion, as in a test, there is nothing to set the option on.
        [[ $kind == words ]] || compopt -o filenames 2>/dev/null || true
      }

      \(name)() {
        local at=\(ShellCompletion.quoted(table.program)) action='' count=0 after=0 i
        local cur=${COMP_WORDS[COMP_CWORD]}
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          \(name)_step "${COMP_WORDS[i]}"
        done
        # Bash makes a word of its own of the equals sign in --option=value.
        [[ $cur != '=' ]] || cur=''
        if [[ -n $action ]]; then
          \(name)_offer
          return
        fi
        if [[ $cur == -* ]] && ((!after)); then
          action="words $(\(name)_options)"
        else
          \(name)_argument "$count"
          [[ -n $action ]] || action="words $(\(name)_commands)"
        fi
        \(name)_offer
      }

      \(words("options", \.optionCandidates))
      \(words("commands", \.commands))
      complete -F \(name) \(table.program)

      """
  }

  /// Returns a shell function that prints the completion candidates of the command `$at`.
  private func words(
    _ suffix: String,
    _ candidates: (CompletionTable.State) -> [CompletionTable.Candidate]
  ) -> String {
    let lines = table.states.compactMap { state -> String? in
      let words = candidates(state).map(\.word).joined(separator: " ")
      return words.isEmpty
        ? nil : "    \(ShellCompletion.quoted(state.key))) echo \(ShellCompletion.quoted(words)) ;;"
    }
    return """
      # Prints the \(suffix) of the command $at.
      \(table.functionName)_\(suffix)() {
        case "$at" in
      \((lines + ["    *) ;;"]).joined(separator: "\n"))
        esac
      }

      """
  }
}
