// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import FilterAnalysis
internal import JSONText
internal import PolicyExplanation
internal import SandboxAudit

/// `darkroom policy disassemble`: prints the instructions of a compiled filter.
package enum PolicyDisassembleCommand: Command {
  /// The argument for the filter.
  private static let filter = ArgumentSpec(
    "FILTER",
    .optional,
    FilterArgument.value,
    help: FilterArgument.help
  )
  /// The flag that selects binary output.
  private static let raw = OptionSpec.flag(
    "raw",
    help: "Write the program itself and nothing else: what bwrap --seccomp and other tools take"
  )
  /// The flag that selects the two programs that a launch loads.
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
      it looks at. Of a seccomp profile the program is printed that the libseccomp of this machine makes for a container runtime. Rules of \
      systemd and minijail are compiled by Darkroom to a program that is proved to answer every call as the rules do; systemd \
      and minijail order their instructions otherwise. Of a process and a stack every program is printed, the oldest one \
      first.
      """,
    options: [raw, installed, ProcessOption.spec],
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
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such policy, file or process"),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "The filters of the process cannot be read"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    guard let word = ProcessOption.argument(parsed) ?? parsed.value(of: filter) else {
      throw CommandFailure(.usage, "no filter was given; give a filter, or a process with --pid PID")
    }
    let isInstalled = parsed.has(installed)
    let source = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try FilterSource.find(word)
    }
    guard !isInstalled || source.policy != nil else {
      throw CommandFailure(.usage, "--installed requires a policy; \(word) is a \(source.kind)")
    }
    var programs = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try source.programs()
    }
    if isInstalled, let program = programs.first {
      programs = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterSource.installed(program)
      }
    }
    for remark in source.remarks + source.libraryRemarks {
      console.note(TextTable.printable("darkroom: \(word): \(remark)"))
    }
    guard !parsed.has(raw) else {
      guard !isInstalled, !parsed.has(CommonOptions.json) else {
        throw CommandFailure(.usage, "--raw cannot be combined with --installed or --json")
      }
      guard programs.count == 1 else {
        throw CommandFailure(
          .usage,
          "--raw requires a single program; a \(source.kind) has \(programs.count)"
        )
      }
      guard !console.isTerminal else {
        throw CommandFailure(
          .usage,
          "--raw writes binary data, and standard output is a terminal; redirect the output to a file or a pipe"
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
