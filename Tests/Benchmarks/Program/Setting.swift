// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch
import SessionStore

/// A group of measurements that are interleaved.
protocol MeasurementGroup {
  /// The name for `--only`.
  static var name: String { get }
  /// Runs the measurements and returns their tables.
  static func run(_ setup: BenchmarkSetup) throws -> [Table]
}

/// The environment of all measurements: a state root, programs and launchers.
final class BenchmarkSetup {
  /// The number of repetitions.
  let runs: Int
  /// The number of files of large content.
  let files: Int
  /// The directory with release builds of `darkroom` and `Snapshot`, or `nil` if not given.
  let products: String?
  /// The bundle with the payloads.
  let bundle: String
  /// The available payloads.
  let payloads: Set<Payload>
  /// Notes about the missing payloads.
  let missingPayloads: [String]
  /// The temporary state root.
  let root: StateRoot
  /// An app in the state root.
  let app: AppStore
  /// The content directory for launches without a session.
  let content: String
  /// The content directory for launchers that do not change the UID.
  let unmappedContent: String
  /// The directory for all other files.
  let directory: String
  /// `/dev/null`.
  let null: Descriptor
  /// The installed launchers, with notes about them and about missing ones.
  private(set) lazy var line = LauncherSet(self)

  /// Creates the directories and compiles the payloads.
  init(runs: Int, files: Int, directory: String, products: String?) throws {
    self.runs = runs
    self.files = files
    self.products = products
    self.directory = "\(directory)/darkroom-benchmark-\(Randomness.hexadecimal(bytes: 6))"
    content = "\(self.directory)/content"
    unmappedContent = "\(self.directory)/own-content"
    bundle = "\(self.directory)/extension"
    // Other users must be able to execute the files.
    try FileSystem.makeDirectories(self.directory, mode: 0o755)
    try FileSystem.makeDirectories(bundle, mode: 0o755)
    try FileSystem.makeDirectories(content)
    try FileSystem.makeDirectories(unmappedContent)
    if case .other(let user, let group) = Self.identity {
      try FileSystem.open(content, [.directory]).setOwner(user, group: group)
    }
    (payloads, missingPayloads) = try Payload.compile(into: bundle)
    root = StateRoot(path: "\(self.directory)/root")
    try root.prepare()
    app = try root.app("org.example.benchmark")
    try app.prepare()
    null = try FileSystem.open("/dev/null", .readWrite)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// The UID of extensions outside the sandbox, as in the host: root changes to another UID.
  static var identity: LaunchPlan.Identity {
    CurrentProcess.effectiveUserID == 0 ? .other(user: 1_879_048_192, group: 1_879_048_192) : .caller
  }

  /// Returns the path of a payload outside any sandbox.
  func path(_ payload: Payload) -> String { "\(bundle)/\(payload.file)" }

  /// Returns a payload under a shipped policy.
  func subject(_ payload: Payload, _ arguments: [String] = [], policy: String) throws -> LaunchTarget {
    LaunchTarget(
      program: .bundled(directory: bundle, executable: payload.file),
      arguments: arguments,
      environment: [],
      policy: try PolicyFinder.find(policy).policy
    )
  }
}

/// Returns the planning input of a session with the given standard streams.
func launchSession(content: String, input: Int32, output: Int32) -> LaunchPlanner.Session {
  LaunchPlanner.Session(
    id: .random(),
    files: .init(content: content),
    context: Array("null".utf8),
    standard: [input, output, input],
    named: [],
    identity: BenchmarkSetup.identity
  )
}

/// Runs a closure and measures its duration in nanoseconds.
func nanoseconds<Result>(_ body: () throws -> Result) rethrows -> (result: Result, time: UInt64) {
  let began = MonotonicClock.now
  let result = try body()
  return (result, MonotonicClock.now - began)
}

/// Runs several closures `rounds` times in random order, so that other load affects all of them equally.
func interleave(rounds: Int, _ things: [() throws -> Void]) throws {
  for _ in 0..<rounds {
    for thing in things.shuffled() { try thing() }
  }
}

/// Measures the durations of several steps in turns and returns their table.
func compare(
  _ title: String,
  rounds: Int,
  notes: [String] = [],
  _ steps: [(name: String, step: () throws -> Void)]
) throws -> Table {
  var series = steps.map { Series($0.name) }
  // The first iteration follows the order of the list: later steps profit from initialized tables.
  for index in steps.indices { series[index].add(nanoseconds: try nanoseconds(steps[index].step).time) }
  try interleave(
    rounds: rounds,
    steps.indices.map { index in
      { series[index].add(nanoseconds: try nanoseconds(steps[index].step).time) }
    }
  )
  return Table(title, series, baseline: steps.first?.name ?? "", notes: notes)
}
