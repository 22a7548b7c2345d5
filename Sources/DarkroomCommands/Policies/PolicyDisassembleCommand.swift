// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import FilterAnalysis
internal import FilterReading
internal import JSONText

/// `darkroom policy disassemble`: the compiled program, instruction by instruction.
package enum PolicyDisassembleCommand: Command {
  /// What is looked at.
  private static let filter = ArgumentSpec("POLICY|BPF", .one, FilterSource.value, help: FilterSource.help)
  /// The bytes instead of text.
  private static let raw = OptionSpec.flag(
    "raw",
    help: "Write the program itself and nothing else: what bwrap --seccomp and other tools take"
  )
  /// The pair that a launch loads.
  private static let installed = OptionSpec.flag(
    "installed",
    help: "The two programs that a launch loads, which report what they refuse"
  )

  package static let spec = CommandSpec(
    "disassemble",
    summary: "Print the compiled filter of a policy, or one from elsewhere, with names",
    discussion: """
      Each line has the instruction's place, its code, how far it jumps if its test holds and if it does not, its constant, \
      and what it does. Calls, parameters and constants have their names wherever the program leaves no doubt which call \
      it looks at. A program from elsewhere is a file as bwrap --seccomp takes it.
      """,
    options: [raw, installed],
    arguments: [filter],
    examples: [
      ExampleSpec("darkroom policy disassemble base", "Print what the policy base comes to"),
      ExampleSpec("darkroom policy disassemble base --raw >base.bpf", "Write it for another tool"),
    ],
    exitCodes: [
      ExitCodeSpec("0", "Done"),
      ExitCodeSpec(
        "\(ExitCode.data.rawValue)",
        "There are mistakes in the policy, or the kernel would not take the program"
      ),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such policy or file"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let word = parsed.word(of: filter) ?? ""
    let isInstalled = parsed.has(installed)
    let programs: [FilterProgram]
    switch try FilterSource.find(word) {
    case .policy(let found):
      let compiled = try FilterSource.compile(found.policy)
      programs = isInstalled ? try FilterSource.installed(compiled) : [compiled]
    case .program(let program):
      guard !isInstalled else {
        throw CommandFailure(.usage, "\(word) is a compiled filter; --installed is for policies")
      }
      programs = [program]
    case .profile: throw FilterSource.notCompiled(word)
    }
    guard !parsed.has(raw) else {
      guard programs.count == 1, !parsed.has(CommonOptions.json) else {
        throw CommandFailure(
          .usage,
          "--raw writes one program and nothing else; leave out --installed and --json"
        )
      }
      guard !console.isTerminal else {
        throw CommandFailure(
          .usage,
          "--raw writes bytes that are no text; redirect the output to a file or a program"
        )
      }
      console.print(bytes: programs[0].bytes)
      return 0
    }
    let output = ListingOutput(console: console)
    let listings = programs.map(FilterListing.init)
    if parsed.has(CommonOptions.json) { output.printJSON(word, listings) } else { output.print(listings) }
    return 0
  }
}
