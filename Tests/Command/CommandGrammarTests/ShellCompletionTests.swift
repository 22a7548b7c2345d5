// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import LinuxPrimitives
import TestSupport
import Testing

/// A command line to complete, with required and excluded completions.
struct CompletionCase: Sendable, CustomTestStringConvertible {
  /// The arguments; the last one is incomplete.
  let words: [String]
  /// The completions that the shell must offer.
  let required: Set<String>
  /// The completions that the shell must not offer.
  let excluded: Set<String>

  var testDescription: String { words.joined(separator: " ") }

  init(_ line: String, offers offered: Set<String>, not excluded: Set<String> = []) {
    words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    self.required = offered
    self.excluded = excluded
  }

  /// The cases for every shell.
  static let all = [
    CompletionCase("", offers: ["install", "exec", "list", "run", "content"], not: ["export", "--json"]),
    CompletionCase("--root /r ", offers: ["install", "exec"]),
    CompletionCase("--json content ", offers: ["export"], not: ["install"]),
    CompletionCase("list --", offers: ["--json", "--root", "--color", "--help"], not: ["--app", "list"]),
    CompletionCase("list --color ", offers: ["always", "never"], not: ["--json"]),
    CompletionCase("run ", offers: ["long", "short"]),
    CompletionCase("run long ", offers: [], not: ["long", "short"]),
    CompletionCase("content export /x ", offers: ["long", "short"]),
    CompletionCase("exec --policy ", offers: ["capture", "strict"]),
    CompletionCase("exec --app x -- --", offers: [], not: ["--json", "--app"]),
    CompletionCase("exec --app x prog --", offers: [], not: ["--json", "--app"]),
    CompletionCase("exec --app x -- prog exec ", offers: [], not: ["install", "--app"]),
    CompletionCase("exec --env install --", offers: ["--app", "--json"], not: ["install"]),
  ]
}

@Suite(.waiting) struct ShellCompletionTests {
  /// Returns the printed completions without descriptions.
  private func lines(_ result: ExternalTool.Result) -> Set<String> {
    Set(result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
  }

  /// Compares the offered completions with the expectation.
  private func check(_ test: CompletionCase, _ result: ExternalTool.Result) {
    let offered = lines(result)
    #expect(result.status == .exited(0), "\(result.output)")
    #expect(offered.isSuperset(of: test.required), "\(test.words): \(offered.sorted())")
    #expect(offered.isDisjoint(with: test.excluded), "\(test.words): \(offered.sorted())")
  }

  /// Returns an argument in quotes that every shell accepts.
  private func quoted(_ word: String) -> String { "'\(word)'" }

  @Test(arguments: CompletionCase.all)
  func `bash offers valid completions`(test: CompletionCase) throws {
    guard let bash = ExternalTool("bash") else { return }
    let words = (["darkroom"] + test.words).map(quoted).joined(separator: " ")
    let driver = """

      set -euo pipefail
      COMP_WORDS=(\(words)) COMP_CWORD=\(test.words.count)
      _darkroom
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    check(test, try bash.run(["-s"], input: ShellCompletion.bash.script(Sample.root) + driver))
  }

  @Test func `bash completes a value after an equals sign`() throws {
    guard let bash = ExternalTool("bash") else { return }
    let driver =
      "\nCOMP_WORDS=(darkroom list --color = ne) COMP_CWORD=4; _darkroom; printf '%s\\n' \"${COMPREPLY[@]}\""
    let result = try bash.run(["-s"], input: ShellCompletion.bash.script(Sample.root) + driver)
    #expect(lines(result) == ["never"])
  }

  @Test func `bash completes directories, files and programs where the spec asks for them`() throws {
    guard let bash = ExternalTool("bash") else { return }
    func offered(_ words: String, _ index: Int) throws -> Set<String> {
      let driver =
        "\nCOMP_WORDS=(\(words)) COMP_CWORD=\(index); _darkroom; printf '%s\\n' \"${COMPREPLY[@]}\""
      return lines(try bash.run(["-s"], input: ShellCompletion.bash.script(Sample.root) + driver))
    }
    #expect(try offered("darkroom install /us", 2) == ["/usr"])
    #expect(try offered("darkroom install /etc/passw", 2) == [])
    #expect(try offered("darkroom exec --policy /etc/passw", 3).contains("/etc/passwd"))
    #expect(try offered("darkroom exec -- ls /etc/passw", 4).contains("/etc/passwd"))
    #expect(try offered("darkroom exec -- mkdi", 3).contains("mkdir"))
  }

  @Test func `shellcheck reports no problem in the bash script`() throws {
    guard let shellcheck = ExternalTool("shellcheck") else { return }
    let result = try shellcheck.run(["-"], input: ShellCompletion.bash.script(Sample.root))
    #expect(result.output == "")
    #expect(result.status == .exited(0))
  }

  @Test(arguments: CompletionCase.all)
  func `zsh offers valid completions`(test: CompletionCase) throws {
    guard let zsh = ExternalTool("zsh") else { return }
    let words = (["darkroom"] + test.words).map(quoted).joined(separator: " ")
    // zsh's completion functions need a terminal; these replacements print the completions.
    let driver = """
      compdef() { :; }
      compset() { :; }
      _files() { :; }
      _command_names() { :; }
      _describe() { [[ $1 == -o ]] && shift; local name; for name in ${(P)2}; do print -r -- ${name%%:*}; done; }
      """
    let call = "\nwords=(\(words)); CURRENT=\(test.words.count + 1); _darkroom; exit 0\n"
    check(
      test,
      try zsh.run(["-f", "-s"], input: driver + "\n" + ShellCompletion.zsh.script(Sample.root) + call)
    )
  }

  @Test(arguments: CompletionCase.all)
  func `fish offers valid completions`(test: CompletionCase) throws {
    guard let fish = ExternalTool("fish") else { return }
    let call = "\ncomplete -C 'darkroom \(test.words.joined(separator: " "))'\nexit 0\n"
    check(test, try fish.run(["--no-config"], input: ShellCompletion.fish.script(Sample.root) + call))
  }
}
