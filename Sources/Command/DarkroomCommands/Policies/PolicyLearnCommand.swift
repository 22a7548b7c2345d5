// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import PolicyLearning
internal import PolicyTrials
internal import SandboxEnforcement
internal import SandboxPolicy
internal import SessionStore

/// `darkroom policy learn`: finds the calls that a program needs and a policy refuses.
package enum PolicyLearnCommand: Command {
  /// The option for the base policy.
  private static let base = OptionSpec.value(
    "base",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    default: "capture",
    help: "Compare the calls with this policy"
  )
  /// The option for the number of runs.
  private static let runs = OptionSpec.value(
    "runs",
    "N",
    .integer(1...100),
    default: "1",
    help: "Run the program N times, and combine the recorded calls"
  )
  /// The flag that records every call.
  private static let all = OptionSpec.flag(
    "all",
    help: "Record all calls, and report rules that are never used (slow)"
  )
  /// The flag that proposes the least policy.
  private static let least = OptionSpec.flag(
    "least",
    help: "Propose a policy with only the recorded calls (implies --all)"
  )
  /// The option for the file of recorded calls.
  private static let state = OptionSpec.value(
    "state",
    "FILE",
    .file,
    help: "Keep the recorded calls in FILE (default: a file for each command line below the state root)"
  )
  /// The flag that discards earlier recorded calls.
  private static let fresh = OptionSpec.flag("fresh", help: "Discard the calls that were recorded before")
  /// The option for the file of the proposal.
  private static let output = OptionSpec.value(
    "output",
    "FILE",
    .file,
    help: "Write the proposal to the new file FILE"
  )
  /// The flag that skips the test of the proposal.
  private static let untried = OptionSpec.flag(
    "untried",
    help: "Skip the last run, which tests the proposal"
  )
  /// The argument for the program.
  private static let program = ArgumentSpec(
    "PROGRAM [ARG]",
    .rest(.firstWord, atLeast: 0),
    .file,
    help: "The program and its arguments; without a program, the calls in the file of --state are reported"
  )

  package static let spec = CommandSpec(
    "learn",
    summary: "Propose a policy change from the calls of a program",
    discussion: """
      The program runs in the sandbox with a modified filter: it allows and records each call that some policy \
      could allow. Calls that no policy can allow, such as sockets and namespaces, are still refused, and all \
      other layers are unchanged. The files that the program writes are discarded. Standard output and error of \
      the program both go to the standard error of this command, and the exit code is that of the last run.

      Afterwards, the program runs once more in the regular sandbox under the proposal. This run shows whether the \
      proposal suffices, and which requests no policy can allow.

      The proposal is a policy that extends the base; for a document of yours, a changed copy. No policy is \
      changed. The proposal covers only the calls of the recorded runs: use all functions of the program in these \
      runs.

      With --least, the proposal extends no policy: it allows the recorded calls, and no other call of the base. \
      Paths, devices, limits and layers are those of the base.
      """,
    options: [
      base, runs, all, least, state, fresh, output, untried, ExecCommand.readOnly, ExecCommand.variable,
      CommonOptions.camera,
    ],
    arguments: [program],
    examples: [
      ExampleSpec(
        "darkroom policy learn --runs 3 --output my-policy.json -- python3 -c 'import mmap'",
        "Learn from three runs, and write the proposal"
      ), ExampleSpec("darkroom policy learn --all -- ls /session", "Report the unused rules of a policy"),
      ExampleSpec(
        "darkroom policy learn --least --runs 3 --output least.json -- date",
        "Create a policy with only the calls of a program"
      ),
    ],
    exitCodes: ExitCode.session(
      [
        ExitCode.success("The program exited with 0, or the recorded calls were reported"),
        ExitCode.data.when(
          "The policy or the file of recorded calls is invalid, or no run has recorded all calls"
        ), ExitCode.missing.when("The policy, or a file or device of --camera, cannot be found or opened"),
        ExitCode.store.when(
          "The proposal, the recorded calls or the state root cannot be written, or the file of --output exists"
        ), ExitCode.notExecuted.when("The program could not be started"),
        ExitCode.notFound.when("The program does not exist"),
        ExitCodeSpec("other", "The program's own exit code"),
      ],
      omitting: [.protocolViolation]
    )
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    let found = try SessionCommands.policy(parsed.value(of: base) ?? "capture")
    let words = parsed.values(of: program)
    if let path = parsed.value(of: output) { try refuseExisting(path) }
    let file = try file(parsed, console, found, words)
    guard !words.isEmpty else { return try show(nil, found, file, parsed, console) }
    if parsed.has(fresh) { do { try file.forget() } catch { throw LearningOutput.failure(error) } }
    // A file that belongs to another policy is reported before the program runs.
    do { _ = try file.read() } catch { throw LearningOutput.failure(error) }
    console.note("darkroom: \(LearningOutput.warning)")
    let harness = LearningHarness(
      place: try place(console),
      signals: signals,
      scope: parsed.has(all) || parsed.has(least) ? .everyCall : .refusedCalls,
      file: file,
      console: console
    )
    let root = harness.place.root
    let launch = ExecCommand.launch(words, parsed, found)
    let request = harness.request(launch, try ExecCommand.target(launch, root, console))
    let learned = try harness.learn(request, runs: Int(parsed.value(of: runs) ?? "") ?? 1)
    guard !learned.isCancelled, !parsed.has(untried) else {
      return try show(nil, found, file, parsed, console, exitCode: learned.exitCode)
    }
    let proposal = try LearningOutput.report(learned.picture, found.policy, extent: extent(parsed))
    let tried = try harness.attempt(proposal, request) { changed throws(CommandFailure) in
      try ExecCommand.target(ExecCommand.launch(words, parsed, changed), root, console)
    }
    return try show(tried.trial, found, file, parsed, console, exitCode: tried.exitCode ?? learned.exitCode)
  }

  /// Returns the extent of the proposal.
  private static func extent(_ parsed: ParsedCommand) -> LearningReport.Extent {
    parsed.has(least) ? .least : .additions
  }

  /// Returns the file of recorded calls.
  private static func file(
    _ parsed: ParsedCommand,
    _ console: Console,
    _ found: FoundPolicy,
    _ words: [String]
  ) throws(CommandFailure) -> LearningFile {
    if let path = parsed.value(of: state) {
      return LearningFile(path, found.policy, digest: found.digest, subject: words)
    }
    guard !words.isEmpty else {
      throw CommandFailure(
        .usage,
        "no program was given; give a program to run, or the file of earlier runs with --state FILE"
      )
    }
    let root = try CommonOptions.sessionRoot(parsed, console)
    do { return try LearningFile(in: root, found, subject: words) } catch {
      throw LearningOutput.failure(error)
    }
  }

  /// Creates the temporary location of the sessions, whose content is discarded.
  private static func place(_ console: Console) throws(CommandFailure) -> LearningWorkspace {
    let named = console.environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    do { return try LearningWorkspace.make(in: named ?? "/tmp") } catch {
      throw CommandFailure(.store, "\(error)")
    }
  }

  /// Throws if the output file exists, before the program runs.
  private static func refuseExisting(_ path: String) throws(CommandFailure) {
    if (try? FileSystem.status(path)) ?? nil != nil {
      throw CommandFailure(.store, "\(path): \(Errno.fileExists); choose another file with --output FILE")
    }
  }

  /// Prints the report on the recorded calls, and writes the proposal if an output file is named.
  private static func show(
    _ trial: ProposalTrial?,
    _ found: FoundPolicy,
    _ file: LearningFile,
    _ parsed: ParsedCommand,
    _ console: Console,
    exitCode: Int32 = 0
  ) throws(CommandFailure) -> Int32 {
    let picture: LearningProfile
    do { picture = try file.read() } catch { throw LearningOutput.failure(error) }
    let report = try LearningOutput.report(picture, found.policy, extent: extent(parsed), trial: trial)
    guard !parsed.has(least) || report.minimal != nil else {
      throw CommandFailure(.data, "\(file.path): no run recorded every call; run the program with --least")
    }
    if parsed.has(CommonOptions.json) {
      console.print(report.json)
    } else {
      for line in report.lines { console.print(TextTable.printable(line)) }
      console.print("saved      \(TextTable.printable(file.path)); no policy was changed")
    }
    guard let path = parsed.value(of: output) else { return exitCode }
    guard report.hasProposal else {
      console.note("darkroom: \(path) was not written, because there is nothing to propose")
      return exitCode
    }
    do throws(SystemCallError) {
      let file = try FileSystem.open(path, [.write, .create, .exclusive], mode: 0o644)
      try file.writeAll(report.document.bytes(.indented))
    } catch { throw CommandFailure(.store, "the proposal could not be written: \(error)") }
    return exitCode
  }
}
