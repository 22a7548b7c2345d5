// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import DarkroomCommands
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the texts that `darkroom-client` prints without the full command. The oracle is the full command.
@Suite(.timeLimit(.minutes(5))) struct PreparedTextsTests {
  private let fixture: CommandFixture
  /// The client in the directory of the fixture.
  private let client: String

  init() throws {
    fixture = try CommandFixture()
    client = "\(fixture.directory)/darkroom-client"
    try runShell("cp '\(FileSystem.directoryName(BuiltProgram.path))/darkroom-client' '\(client)'")
  }

  /// Writes a script in place of the full command, followed by the prepared texts.
  private func writeFullCommand(_ script: String) throws {
    let texts = try CommandResult.run(["man", "--prepared"]).output
    try FileSystem.replaceContents(
      "\(fixture.directory)/darkroom",
      with: Array("#!/bin/sh\n\(script)\nexit\n\(texts)".utf8),
      mode: 0o755
    )
  }

  /// The command lines of the help in all usual forms, and those of the completion scripts.
  private static var commandLines: [[String]] {
    let spec = DarkroomCommandLine.spec
    let commands = CommandPath(spec).tree.flatMap { command -> [[String]] in
      let names = command.names
      return [["help"] + names, ["--help"] + names, names + ["--help"], names + ["-h"]]
    }
    let topics = spec.topics.flatMap { [["help", $0.name], ["--help", $0.name]] }
    return commands + topics + ["bash", "zsh", "fish"].map { ["completion", $0] }
  }

  @Test func `the client prints the help of each command and topic without the full command`() throws {
    try writeFullCommand("echo 'the full command was executed'; exit 3")
    var list = ""
    for (number, words) in Self.commandLines.enumerated() {
      try fixture.write("expected-\(number)", try CommandResult.run(words).output)
      list += "\(number) \(words.joined(separator: " "))\n"
    }
    try fixture.write("list", list)
    try runShell(
      """
      cd '\(fixture.directory)'
      while read -r number words; do
        # The words have no spaces.
        ./darkroom-client $words >found 2>errors || { echo "$words: exit code $?"; exit 1; }
        cmp found "expected-$number" || { echo "$words"; exit 1; }
        [ ! -s errors ] || { cat errors; exit 1; }
      done <list
      """
    )
  }

  @Test(arguments: [20, 80, 200])
  func `the client prints the same bytes as the full command in a terminal of any width`(width: Int) throws {
    try writeFullCommand("echo 'the full command was executed'; exit 3")
    try runShell(
      """
      cd '\(fixture.directory)'
      command -v script >/dev/null || { echo 'SKIP: script is not installed'; exit 0; }
      for words in help 'help exec' 'policy verify --help' 'help all' 'help exit-codes' 'completion bash'; do
        for program in '\(BuiltProgram.path)' ./darkroom-client; do
          COLUMNS=\(width) script -qec "stty cols \(width); $program $words" /dev/null </dev/null >"${program##*/}.found"
          COLUMNS=\(width) $program $words >"${program##*/}.piped"
        done
        cmp darkroom.found darkroom-client.found
        cmp darkroom.piped darkroom-client.piped
        grep -q darkroom darkroom.found
      done
      """
    )
  }

  @Test func `the client executes the full command for all other command lines`() throws {
    try writeFullCommand("exec '\(BuiltProgram.path)' \"$@\"")
    try runShell(
      """
      set +e
      cd '\(fixture.directory)'
      check() {
        one=$('\(BuiltProgram.path)' "$@" 2>&1; echo $?)
        other=$(./darkroom-client "$@" 2>&1; echo $?)
        [ "$one" = "$other" ] || { echo "$*: $one: $other"; exit 1; }
      }
      check help nothing
      check help sweep
      check sweep --help
      check 'help exec'
      check help '' exec
      check help exec extra
      check --root / help exec
      check help exec --json
      check completion tcsh
      check completion
      check help "$(printf 'exec\\t0')"
      check help "$(printf '%0200d' 0)"
      """
    )
  }

  @Test func `the client executes the full command if there are no prepared texts`() throws {
    try writeFullCommand("echo 'the full command was executed'; exit 3")
    try runShell(
      """
      set +e
      cd '\(fixture.directory)'
      mv darkroom complete
      size=$(stat -c %s complete)
      # Without the texts, without their last byte, and with more texts than bytes in the file.
      head -n 3 complete >darkroom-0
      head -c $((size - 1)) complete >darkroom-1
      { head -n 3 complete; tail -c 100 complete; } >darkroom-2
      for number in 0 1 2; do
        mv "darkroom-$number" darkroom
        chmod 755 darkroom
        found=$(./darkroom-client help)
        [ "$?: $found" = '3: the full command was executed' ] || { echo "$number: $found"; exit 1; }
      done
      """
    )
  }

  @Test func `the client reports failed writes of texts like the full command`() throws {
    try writeFullCommand("exec '\(BuiltProgram.path)' \"$@\"")
    try runShell(
      """
      set +e
      cd '\(fixture.directory)'
      for redirection in '>/dev/full' '>&-' '| true' '>/dev/full 2>&1'; do
        one=$(eval "{ '\(BuiltProgram.path)' completion bash; echo \\$? >&2; } $redirection" 2>&1)
        other=$(eval "{ ./darkroom-client completion bash; echo \\$? >&2; } $redirection" 2>&1)
        [ "$one" = "$other" ] || { echo "$redirection: $one: $other"; exit 1; }
      done
      """
    )
  }

  @Test func `man rejects a command with the prepared texts`() throws {
    for words in [["man", "--prepared", "run"], ["man", "--prepared", "--directory", "/"]] {
      let result = try CommandResult.run(words)
      #expect(result.code == 64 && result.output == "")
      #expect(result.errorOutput.contains("omit COMMAND and --directory"))
    }
  }
}
