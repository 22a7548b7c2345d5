// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import FilterAnalysis
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import SandboxAudit
internal import SandboxEnforcement
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
    help: "A system call: a name, a number, or 'name(arg, ...)'; more words are its arguments, _ is any"
  )
  /// The option for the architecture of the call.
  private static let architecture = OptionSpec.value(
    "architecture",
    "ARCH",
    .choice(CallArchitecture.ofThisMachine.map(\.rawValue)),
    default: CallArchitecture.native.rawValue,
    help: "The architecture that the call is of"
  )
  /// The flag for a session without namespaces.
  private static let restricted = OptionSpec.flag(
    "restricted",
    help: "Explain what is left in a session without namespaces"
  )

  package static let spec = CommandSpec(
    "explain",
    summary: "Tell in plain words what a policy lets an extension do, or what becomes of one system call",
    discussion: """
      Without CALL the whole policy is described: what an extension can read, write, start and reach, how much it may \
      use, and where the policy is weaker than the one that extensions have that name none.

      With CALL the answer names the rules that allow it, by line, column and group, or why it is refused and what to \
      write to allow it. Arguments that are not stated can be any; then it says which are allowed. Every answer is \
      compared with the compiled filter, for all arguments that were asked about.

      Of a filter from elsewhere, a process and a stack the answers are printed that they give to the call or to all calls, \
      and the conditions on arguments that lead to each answer; that is exact, for every architecture. Such a filter \
      has no groups, no layers and no reasons.

      What becomes of a path of the file system is told by 'darkroom explain'.
      """,
    options: [architecture, restricted, ProcessOption.spec] + SupervisionOptions.all,
    arguments: [policy, call],
    examples: [
      ExampleSpec("darkroom policy explain capture", "Read what extensions may do that name no policy"),
      ExampleSpec("darkroom policy explain strict 'socket(AF_VSOCK, SOCK_STREAM, 0)'", "Ask about one call"),
      ExampleSpec("darkroom policy explain strict mmap _ _ PROT_EXEC", "Ask about one argument"),
      ExampleSpec(
        "sudo darkroom policy explain --pid 4321 ptrace",
        "Ask what the filters of a process answer"
      ),
    ],
    exitCodes: [
      ExitCodeSpec("0", "The answer was given, whether the call is allowed or not"),
      ExitCodeSpec("\(ExitCode.usage.rawValue)", "There is no such call, or an argument cannot be read"),
      ExitCodeSpec("\(ExitCode.data.rawValue)", "The policy has mistakes"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such policy, file or process"),
      ExitCodeSpec("\(ExitCode.machine.rawValue)", "The filters of the process cannot be read"),
      ExitCodeSpec(
        "\(ExitCode.breach.rawValue)",
        "The compiled filter answers otherwise than the explanation says"
      ),
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
      let answers = try FilterAnswerOutput(name, source, asked, supervision)
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
      parsed.has(restricted)
      ? .restricted(signalsAreScoped: LandlockSupport.abi >= RestrictedMode.scopingLandlockABI) : .namespaces
    guard !words.isEmpty else {
      let standard = try SessionCommands.policy(PolicyFinder.standardName).policy
      let isOther = standard.name != policy.name || policy.extensibility != standard.extensibility
      let description = PolicyDescription(of: policy, comparedWith: isOther ? standard : nil, mode: mode)
      print(description.json, description.lines(width: 100), parsed, console)
      return 0
    }
    let explanation = CallExplanation(of: try read(words, parsed), under: policy, mode: mode)
    print(explanation.json, explanation.lines(width: 100), parsed, console)
    try check(explanation, mode.effective(policy))
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

  /// Compares an explanation with the compiled filter. A difference is a defect of Darkroom.
  private static func check(
    _ explanation: CallExplanation,
    _ policy: ResolvedPolicy
  ) throws(CommandFailure) {
    let filter: SeccompFilter
    do { filter = try SeccompCompiler.compile(policy) } catch { throw CommandFailure(.machine, "\(error)") }
    let found: CallExplanation.Disagreement?
    do { found = try explanation.disagreement(with: FilterProgram(bytes: filter.instructions)) } catch {
      throw CommandFailure(
        .breach,
        "the explanation could not be compared with the compiled filter: \(error)"
      )
    }
    guard let found else { return }
    throw CommandFailure(
      .breach,
      "INTERNAL ERROR: do not rely on this explanation: \(found); please report it with the policy"
    )
  }
}
