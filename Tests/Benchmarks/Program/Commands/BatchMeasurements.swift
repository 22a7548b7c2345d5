// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import CaptureHost
import LinuxPrimitives
import SessionStore

/// The number of complete sessions per second: of `darkroom batch` from its start to its exit, and of threads of
/// this process that launch the same sessions without a ledger. Each session sees one input file, and has a
/// program in C that writes nothing.
enum BatchMeasurements: MeasurementGroup {
  static let name = "batch"
  private static let rounds = 5

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let jobs = ThreadContext.processors?.reduce(0) { $0 + $1.nonzeroBitCount } ?? 1
    let own = "sessions of \(jobs) threads"
    guard let products = setup.products else {
      return [Table("sessions a second", [], baseline: "", notes: ["skipped: requires --products DIR"])]
    }
    let inputs = try inputs(setup)
    let session = try ProgramSession(setup, root: "threads")
    let runAll = {
      try WorkerThreads.work(threads: jobs) { thread in
        let runner = SessionRunner(stateRoot: session.app.root)
        for input in stride(from: thread, to: inputs.count, by: jobs) {
          try session.run(runner, input: inputs[input])
        }
      }
    }
    var steps = [(name: own, step: runAll)]
    var batch = 0
    for jobs in [jobs, 4 * jobs] {
      let step = {
        batch += 1
        // Without a name of its own, a batch whose inputs are done has nothing to do.
        let options = ["--inputs", "\(setup.directory)/inputs", "--jobs", "\(jobs)", "--name", "n\(batch)"]
        let words =
          ["\(products)/darkroom", "--root", "\(setup.directory)/batch", "batch"] + options
          + ["--app", setup.app.id, "--", setup.path(.staticC)]
        let number = setup.null.rawValue
        try SpawnedProgram.start(words, descriptors: [0: number, 1: number, 2: number]).finish("batch")
      }
      steps.append((name: "darkroom batch --jobs \(jobs)", step: step))
    }
    var series = steps.map { Series($0.name, .perSecond) }
    try interleave(
      rounds: rounds,
      steps.indices.map { index in
        {
          let took = try nanoseconds { try steps[index].step() }
          series[index].add(Double(inputs.count) * 1_000_000_000 / Double(took.time))
        }
      }
    )
    return [Table("sessions a second, \(inputs.count) inputs", series, baseline: own)]
  }

  /// Creates the input files, and returns their paths.
  private static func inputs(_ setup: BenchmarkSetup) throws -> [String] {
    let directory = "\(setup.directory)/inputs"
    try FileSystem.makeDirectory(directory, mode: 0o755)
    return try (0..<max(100, setup.runs)).map { number in
      let path = "\(directory)/\(number)"
      try FileSystem.replaceContents(path, with: [], mode: 0o644)
      return path
    }
  }
}
