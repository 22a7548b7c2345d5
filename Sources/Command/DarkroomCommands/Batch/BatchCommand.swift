// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionServices
internal import SessionStore

/// `darkroom batch`: runs a program in one session for each input file.
package enum BatchCommand: Command {
  private static let program = ArgumentSpec(
    "PROGRAM [ARG]",
    .rest(.firstWord, atLeast: 1),
    .file,
    help: "The program and its arguments; {} is the path of the input"
  )

  package static let spec = CommandSpec(
    "batch",
    summary: "Run a program in the sandbox for each of many files",
    discussion: """
      Each input has a session of its own, in which the program sees the input at its own path, read-only. {} in an \
      argument is replaced by that path. Without {}, the path is the last argument. The content of each /session is \
      migrated to the app.

      A ledger in the state root has an entry before each session starts and after its content is migrated. After a \
      kill of this command or a power failure, the same command recovers the interrupted sessions and continues. \
      An input is done when a session of the input exited with 0, and is never run again.

      The content of an interrupted session is migrated, too. The outcome in its record is 'dismissed' by \
      'hostDied' or 'hostStopped', and its input is run again. 'darkroom inspect' prints the record.

      SIGINT and SIGTERM dismiss the running sessions and migrate their content. With --json, each event is a line.

      The policy and the options of a batch may change between runs; the app and the command may not.
      """,
    options: BatchOptions.all,
    arguments: [program],
    examples: [
      ExampleSpec(
        "darkroom batch --inputs scans --app org.example.archive -- sh -c 'sha256sum \"$1\" > /session/sum' sh {}",
        "Compute a digest of each file in the directory scans"
      ),
      ExampleSpec(
        "find . -name '*.jpg' -print0 | darkroom batch --inputs - -0 --app org.example.archive -- djpeg -outfile "
          + "/session/out.ppm {}",
        "Decode all JPEG images below this directory"
      ),
    ],
    exitCodes: [
      ExitCode.success("Every input is done"),
      ExitCode.checkFailed.when("An input failed, in this run or an earlier one"),
      ExitCode.data.when("The policy is invalid"),
      ExitCode.missing.when("The inputs, the policy, or a path of an option cannot be found or read"),
      ExitCode.machine.when("The kernel lacks a required feature, or the host failed"),
      ExitCode.store.when(
        "The state root cannot be written, a session cannot be recovered, or free space is insufficient"
      ),
      ExitCode.temporaryFailure.when("Another process runs the batch"),
      ExitCode.notExecuted.when("The program cannot be started"),
      ExitCode.notFound.when("The program does not exist"),
      ExitCodeSpec("128+n", "The command received the signal n, such as 130 for SIGINT and 143 for SIGTERM"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    // This must precede the creation of any thread, because threads inherit the signal mask.
    let signals = try SessionCommands.hostSignals(console)
    try BatchOptions.check(parsed)
    let shard = try BatchOptions.shard(parsed, console)
    let root = try CommonOptions.sessionRoot(parsed, console)
    let app = try CommonOptions.app(parsed.value(of: BatchOptions.app) ?? "", root)
    let command = parsed.values(of: program)
    let task = try task(parsed, command, app, root, console)
    let inputs = shard.select(try BatchOptions.inputs(parsed, console))
    let definition = try BatchOptions.definition(parsed, app, command, shard)
    SessionCommands.recoverEarlierSessions(root, console)
    let ledger: BatchLedger
    var history: BatchHistory
    do throws(BatchError) {
      (ledger, history) = try BatchRunner.open(definition, in: root)
      try BatchRecovery.complete(ledger, &history, app: app) { () throws(StoreError) in
        try SessionRecovery.run(
          root,
          library: nil,
          environment: console.environment,
          notice: { console.note("darkroom: \($0)") }
        )
      }
    } catch { throw CommandFailure(error) }
    let plan = BatchPlan(inputs, history, failures: parsed.has(BatchOptions.retryFailed) ? .retried : .kept)
    var output = BatchOutput(console, asJSON: parsed.has(CommonOptions.json), ledger)
    let ending = try run(task, ledger, plan, parsed, signals, console, &output)
    output.conclude(ending, plan)
    BackgroundPrune.start(root)
    return exitCode(ending)
  }

  private static func run(
    _ task: BatchTask,
    _ ledger: BatchLedger,
    _ plan: BatchPlan,
    _ parsed: ParsedCommand,
    _ signals: HostSignals,
    _ console: Console,
    _ output: inout BatchOutput
  ) throws(CommandFailure) -> BatchEnding {
    // Each session needs about twelve descriptors. Extensions are launched with the original limit.
    FileLimit.raise()
    let reaction: BatchQueue.FailureReaction = parsed.has(BatchOptions.stopOnFailure) ? .stop : .keepGoing
    do throws(BatchError) {
      let runner = try BatchRunner(
        task,
        ledger,
        BatchQueue(plan, onFailure: reaction),
        journal: SystemJournal(environment: console.environment)
      )
      return try runner.run(
        jobs: min(BatchOptions.jobs(parsed), max(1, plan.pending.count)),
        until: signals,
        interval: output.interval
      ) { event, counts in output.show(event, counts) }
    } catch {
      output.clearProgress()
      throw CommandFailure(error)
    }
  }

  /// Finds the program. Prints notes about files that the program will not find.
  private static func task(
    _ parsed: ParsedCommand,
    _ command: [String],
    _ app: AppStore,
    _ root: StateRoot,
    _ console: Console
  ) throws(CommandFailure) -> BatchTask {
    let found = try SessionCommands.policy(parsed.value(of: BatchOptions.policy) ?? "capture")
    let target = try ExecCommand.target(ExecCommand.launch(command, parsed, found), root, console)
    return BatchTask(app, target, policyDigest: found.digest, environment: console.environment)
  }

  private static func exitCode(_ ending: BatchEnding) -> Int32 {
    if case .signal(let signal) = ending.stopReason { return 128 + signal.rawValue }
    return ending.counts.failed > 0 ? ExitCode.checkFailed.rawValue : 0
  }
}

extension CommandFailure {
  /// Creates the failure for an error that stops a batch.
  init(_ error: BatchError) {
    let code: ExitCode =
      switch error {
      case .directory, .list: .missing
      case .listTooLong, .differentCommand: .usage
      case .busy: .temporaryFailure
      case .notRecovered: .store
      case .store(let error): CommandFailure(error).code
      case .session(_, let error): SessionCommands.exitCode(error)
      case .host: .machine
      }
    self.init(code, "\(error)")
  }
}
