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
    help: "Write only the binary program, as bwrap --seccomp and other tools read it"
  )
  /// The flag that selects the two programs that a launch loads.
  private static let installed = OptionSpec.flag(
    "installed",
    help: "Print the two programs that a launch installs to report refusals"
  )

  package static let spec = CommandSpec(
    "disassemble",
    summary: "Print the compiled filter of a policy",
    discussion: """
      Each line has the position of an instruction, its code, the jump distances for a true and a false test, its \
      constant, and a description. Calls, arguments and constants are shown by name if the program determines the \
      call.

      For a seccomp profile, the program is printed that the libseccomp of this machine creates for a container \
      runtime. Rules of systemd and minijail are compiled by Darkroom to a program that is proved to have the same \
      result for every call; systemd and minijail themselves order the instructions differently. For a process and \
      a stack, all programs are printed, oldest first.
      """,
    options: [raw, installed, ProcessOption.spec],
    arguments: [filter],
    examples: [
      ExampleSpec("darkroom policy disassemble base", "Print the filter of the policy base"),
      ExampleSpec("darkroom policy disassemble base --raw >base.bpf", "Write the filter for another tool"),
    ],
    exitCodes: [
      ExitCode.usage.when("The command line is invalid, or an option does not fit the filter"),
      ExitCode.data.when("The filter is invalid, or the kernel would reject the program"),
      ExitCode.unknownFilter, ExitCode.breach.when("The compiled rules differ from the profile"),
      ExitCode.unreadableFilter,
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
