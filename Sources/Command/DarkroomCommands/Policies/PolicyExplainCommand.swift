// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import SandboxAudit
internal import SandboxPolicy
internal import SystemCalls

/// `darkroom policy explain`: explains a policy, or the effect of a policy on one call.
package enum PolicyExplainCommand: Command {
  /// The argument for the policy.
  private static let policy = ArgumentSpec(
    "FILTER",
    .optional,
    FilterArgument.value,
    help: FilterArgument.help
  )
  /// The argument for the call.
  private static let call = ArgumentSpec(
    "CALL",
    .many(atLeast: 0),
    help: "A system call: a name, a number, or 'name(arg, ...)'; further words are its arguments, "
      + "and _ is any value"
  )
  /// The option for the architecture of the call.
  private static let architecture = OptionSpec.value(
    "architecture",
    "ARCH",
    .choice(CallArchitecture.ofThisMachine.map(\.rawValue)),
    default: CallArchitecture.native.rawValue,
    help: "Explain a call of this architecture"
  )
  /// The flag for a session without namespaces.
  private static let restricted = OptionSpec.flag(
    "restricted",
    help: "Explain a session without namespaces"
  )

  package static let spec = CommandSpec(
    "explain",
    summary: "Describe a policy, or explain one system call",
    discussion: """
      Without CALL, the whole policy is described: the files that an extension can read, write and execute, the \
      limits, and the entries that make the policy weaker than the default policy.

      With CALL, the answer contains the rules that allow the call, with line, column and group; or the reason of \
      the refusal, and the rule that would allow the call. If arguments are missing, the answer contains the \
      allowed values. Each answer is compared with the compiled filter for all arguments.

      For filters of other programs, processes and stacks, the exact results are printed with their conditions on \
      arguments, for every architecture. Such filters have no groups, layers and reasons.

      'darkroom explain' explains the access to a path.
      """,
    options: [architecture, restricted, ProcessOption.spec] + SupervisionOptions.all,
    arguments: [policy, call],
    examples: [
      ExampleSpec("darkroom policy explain capture", "Describe the default policy"),
      ExampleSpec("darkroom policy explain strict 'socket(AF_VSOCK, SOCK_STREAM, 0)'", "Explain one call"),
      ExampleSpec("darkroom policy explain strict mmap _ _ PROT_EXEC", "Explain one argument of a call"),
      ExampleSpec("sudo darkroom policy explain --pid 4321 ptrace", "Explain the filters of a process"),
    ],
    exitCodes: [
      ExitCode.success("The explanation was printed, whether the call is allowed or not"),
      ExitCode.usage.when("The call does not exist, or an argument or the command line is invalid"),
      ExitCode.invalidPolicy, ExitCode.unknownFilter,
      ExitCode.breach.when(
        "The compiled filter differs from the explanation: do not rely on the explanation"
      ), ExitCode.unreadableFilter,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let process = ProcessOption.argument(parsed)
    var words = (parsed.value(of: policy).map { [$0] } ?? []) + parsed.values(of: call)
    guard let name = process ?? words.first else {
      throw CommandFailure(
        .usage,
        "no policy or filter was given; give a policy, a filter, or a process with --pid PID"
      )
    }
    if process == nil { words.removeFirst() }
    let source = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try FilterSource.find(name)
    }
    guard let policy = source.policy else {
      guard !parsed.has(restricted) else {
        throw CommandFailure(.usage, "--restricted requires a policy; \(name) is a \(source.kind)")
      }
      let asked = words.isEmpty ? nil : try read(words, parsed)
      let supervision = SupervisionOptions.supervision(parsed)
      let found = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try FilterAnswers(of: NamedFilter(name: name, source: source), to: asked, under: supervision)
      }
      let answers = FilterAnswerOutput(name: name, source: source, answers: found)
      for remark in source.remarks { console.note(TextTable.printable("darkroom: \(name): \(remark)")) }
      print(answers.json(supervision), answers.lines, parsed, console)
      return 0
    }
    return try explain(policy, words, parsed, console)
  }

  /// Explains a Darkroom policy.
  private static func explain(
    _ policy: ResolvedPolicy,
    _ words: [String],
    _ parsed: ParsedCommand,
    _ console: Console
  ) throws(CommandFailure) -> Int32 {
    let mode: SessionMode =
      parsed.has(restricted) ? .restricted(signalsAreScoped: RestrictedMode.signalsAreScoped) : .namespaces
    guard !words.isEmpty else {
      let standard: ResolvedPolicy?
      do throws(PolicyFindingError) { standard = try PolicyFinder.standard(otherThan: policy) } catch {
        throw SessionCommands.failure(error)
      }
      let description = PolicyDescription(of: policy, comparedWith: standard, mode: mode)
      print(description.json, description.lines(width: 100), parsed, console)
      return 0
    }
    let call = try read(words, parsed)
    let checked = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try CheckedExplanation(of: call, under: policy, mode: mode)
    }
    print(checked.explanation.json, checked.explanation.lines(width: 100), parsed, console)
    if let defect = checked.defect { throw CommandFailure(.breach, defect) }
    return 0
  }

  /// Prints a result as JSON or as text.
  private static func print(
    _ json: JSONValue,
    _ lines: [String],
    _ parsed: ParsedCommand,
    _ console: Console
  ) {
    if parsed.has(CommonOptions.json) { return console.print(json) }
    for line in lines { console.print(TextTable.printable(line)) }
  }

  /// Returns the call that the arguments name. The call is a single argument, or a name followed by one
  /// argument for each of its parameters.
  private static func read(_ words: [String], _ parsed: ParsedCommand) throws(CommandFailure) -> ParsedCall {
    let name = words.first ?? ""
    let text: String
    if words.count == 1 {
      text = name
    } else if name.contains("(") {
      text = words.joined(separator: " ")
    } else {
      text = "\(name)(\(words.dropFirst().joined(separator: ", ")))"
    }
    let architecture = parsed.value(of: architecture).flatMap { CallArchitecture(rawValue: $0) } ?? .native
    do { return try CallText.parse(text, on: architecture) } catch {
      throw CommandFailure(.usage, TextTable.printable("\(error)"))
    }
  }
}
