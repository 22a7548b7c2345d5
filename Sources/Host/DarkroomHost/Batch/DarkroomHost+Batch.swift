// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionServices
internal import SessionStore

extension DarkroomHost {
  /// Runs a program in a session of its own for each of many files, and migrates the content of each session to
  /// the app of the program.
  ///
  /// A ledger in the state directory has an entry before each session starts and after its content is migrated.
  /// After a kill of the process or a power failure, a run with the same name recovers the interrupted sessions
  /// and continues: an input whose program exited with 0 is never run again. `darkroom batch` uses the same
  /// ledgers.
  ///
  /// If the task is cancelled or the host is closed, no further session starts, and the running ones are dismissed.
  /// The function returns after their migration.
  ///
  /// - Parameters:
  ///   - options: The program and the inputs.
  ///   - report: Receives the events, one at a time, on a thread of the host. While 256 events are not
  ///     received yet, no session starts.
  ///
  /// - Returns: The numbers of inputs.
  ///
  /// - Throws: ``HostError/argument(_:)`` if an option is invalid, or if the batch was started with another app
  ///   or command; ``HostError/store(_:)`` if another process runs the batch; or the first error after which no
  ///   session was started. All sessions have ended, and another run continues.
  public func runBatch(
    _ options: BatchLaunchOptions,
    _ report: @escaping @Sendable (BatchProgress) -> Void = { _ in }
  ) async throws(HostError) -> BatchSummary {
    // Stops the batch like a session when the host is closed.
    let core = try SessionCore()
    try add(core)
    let launching = launching
    let result: Result<BatchSummary, HostError> = await withTaskCancellationHandler {
      do throws(HostError) {
        let summary = try await HostThread.run { () throws(HostError) in
          try launching.runBatch(options, core.input, report)
        }
        return .success(summary)
      } catch { return .failure(error) }
    } onCancel: {
      core.input.stop()
    }
    remove(core)
    core.finish(.failure(.closed))
    return try result.get()
  }
}

extension SessionLaunching {
  /// Runs a batch on the calling thread.
  fileprivate func runBatch(
    _ options: BatchLaunchOptions,
    _ input: SessionInput,
    _ report: @Sendable (BatchProgress) -> Void
  ) throws(HostError) -> BatchSummary {
    let shard = try shard(options)
    let definition = try definition(options, shard)
    let program = try batchProgram(options) { report(.notice($0)) }
    let task = BatchTask(
      program.app,
      program.target,
      policyDigest: program.launch.policy.digest,
      environment: Self.environment
    )
    do throws(BatchError) {
      let inputs = shard.select(try BatchInputs.named(options.inputs))
      var (ledger, history) = try BatchRunner.open(definition, in: root)
      try BatchRecovery.complete(ledger, &history, app: program.app) { () throws(StoreError) in
        try SessionRecovery.run(root, library: nil, environment: Self.environment) { report(.notice($0)) }
      }
      let plan = BatchPlan(inputs, history, failures: options.retriesFailures ? .retried : .kept)
      let queue = BatchQueue(plan, onFailure: options.stopsAtFailure ? .stop : .keepGoing)
      let journal = SystemJournal(environment: Self.environment)
      let runner = try BatchRunner(task, ledger, queue, journal: journal)
      let signals: HostSignals
      do throws(SystemCallError) { signals = try input.signals() } catch { throw .host(error) }
      let jobs = min(options.maximumSessions ?? BatchRunner.defaultJobs, max(1, plan.pending.count))
      // The interval of an event that is not reported.
      let hour: UInt64 = 3_600_000_000_000
      let counts = try runner.run(jobs: jobs, until: signals, interval: hour) { event, _ in
        if let progress = BatchProgress(event) { report(progress) }
      }.counts
      return BatchSummary(total: counts.total, done: counts.done, failed: counts.failed)
    } catch { throw HostError(error) }
  }

  private func batchProgram(
    _ options: BatchLaunchOptions,
    notice: (String) -> Void
  ) throws(HostError) -> FoundProgram {
    guard options.program.camera == nil else {
      throw HostError(argument: "a batch has no camera; launch a session of the program instead")
    }
    guard options.maximumSessions ?? 1 >= 1 else {
      throw HostError(argument: "maximumSessions is \(options.maximumSessions ?? 0); set it to 1 or more")
    }
    if let input = options.inputs.first(where: { $0.isEmpty || $0.utf8.contains(0) }) {
      throw HostError(argument: "'\(input)' is not the path of an input; remove it from the inputs")
    }
    return try find(options.program, notice: notice)
  }

  private func shard(_ options: BatchLaunchOptions) throws(HostError) -> BatchShard {
    guard let chosen = options.shard else { return .whole }
    guard let shard = BatchShard(chosen.index, of: chosen.count) else {
      throw HostError(
        argument: "\(chosen.index) is not the index of one of \(chosen.count) parts; the indices start at 0"
      )
    }
    return shard
  }

  private func definition(
    _ options: BatchLaunchOptions,
    _ shard: BatchShard
  ) throws(HostError) -> BatchDefinition {
    let name = shard.name(options.name)
    guard FileSystem.isPortableName(name) else {
      throw HostError(
        argument:
          "'\(options.name)' is not the name of a batch; use letters, digits, dots, hyphens and underscores"
      )
    }
    guard name.utf8.count <= 200 else {
      throw HostError(argument: "the name of the batch has \(name.utf8.count) bytes; use at most 200")
    }
    let program = options.program
    return BatchDefinition(
      name: name,
      app: program.appID,
      command: [program.program] + program.arguments
    )
  }
}

extension BatchProgress {
  /// Creates the event of a batch, or `nil` if the event is not reported.
  fileprivate init?(_ event: SessionServices.BatchEvent) {
    switch event {
    case .started(let input, let session): self = .started(input: input.path, session: "\(session)")
    case .finished(let input, let report): self = .finished(input: input.path, SessionResult(report))
    case .notice(let text): self = .notice(text)
    case .progress: return nil
    }
  }
}

extension HostError {
  /// Creates an error from an error that stops a batch.
  fileprivate init(_ error: BatchError) {
    switch error {
    case .store(let error): self.init(error)
    case .session(_, let error): self.init(error)
    case .host(let error): self.init(error)
    case .differentCommand(let other):
      self.init(
        argument:
          "the batch '\(other.name)' was started for \(other.app) with another command; use another name"
      )
    case .busy(let name):
      self = .store(.init("another process runs the batch '\(name)'; wait for its end, or use another name"))
    case .notRecovered(let session, let input, _):
      self = .store(
        .init(
          "the interrupted session \(session) of \(input.path) is not recovered; call recover(), and then run the batch again"
        )
      )
    case .directory(let cause), .list(let cause): self = .argument(.init("\(error)", cause))
    case .listTooLong: self = .argument(.init("\(error)"))
    }
  }
}
