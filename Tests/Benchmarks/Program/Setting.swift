// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch
import SessionStore

/// A group of measurements that belong into one interleaved run.
protocol MeasurementGroup {
  /// The name for `--only`.
  static var name: String { get }
  /// Measures, and says what came of it.
  static func run(_ setting: Setting) throws -> [Table]
}

/// What all measurements need: a state root of their own, programs to launch, and ways to launch them.
final class Setting {
  /// How often each thing is measured.
  let runs: Int
  /// How many files large content has.
  let files: Int
  /// The directory with release builds of `darkroom` and `Snapshot`, if one was named.
  let products: String?
  /// The bundle that has the payloads.
  let bundle: String
  /// The payloads that could be made.
  let payloads: Set<Payload>
  /// Why others could not.
  let missingPayloads: [String]
  /// A state root that goes with this value.
  let root: StateRoot
  /// An app in it.
  let app: AppStore
  /// A session's content directory for launches that are no sessions.
  let content: String
  /// The same for a launcher that does not change the user.
  let ownContent: String
  /// A directory for whatever else is needed.
  let directory: String
  /// `/dev/null`.
  let null: Descriptor
  /// The launchers that are installed, and what is to say of them and of those that are not.
  private(set) lazy var line = Lineup(self)

  /// Makes the directories and compiles the payloads.
  init(runs: Int, files: Int, directory: String, products: String?) throws {
    self.runs = runs
    self.files = files
    self.products = products
    self.directory = "\(directory)/darkroom-benchmark-\(Randomness.hexadecimal(bytes: 6))"
    content = "\(self.directory)/content"
    ownContent = "\(self.directory)/own-content"
    bundle = "\(self.directory)/extension"
    // Others than the caller must be able to run what lies in it.
    try FileSystem.makeDirectories(self.directory, mode: 0o755)
    try FileSystem.makeDirectories(bundle, mode: 0o755)
    try FileSystem.makeDirectories(content)
    try FileSystem.makeDirectories(ownContent)
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

  /// Who extensions are outside, as the host decides it: root makes them somebody else.
  static var identity: LaunchPlan.Identity {
    CurrentProcess.effectiveUserID == 0 ? .other(user: 1_879_048_192, group: 1_879_048_192) : .caller
  }

  /// The path of a payload outside any sandbox.
  func path(_ payload: Payload) -> String { "\(bundle)/\(payload.file)" }

  /// A payload under a policy that comes with Darkroom.
  func subject(_ payload: Payload, _ arguments: [String] = [], policy: String) throws -> LaunchSubject {
    LaunchSubject(
      program: .bundled(directory: bundle, executable: payload.file),
      arguments: arguments,
      environment: [],
      policy: try PolicyFinder.find(policy).policy
    )
  }
}

/// What planning needs to know of a session with these standard streams.
func launchSession(content: String, input: Int32, output: Int32) -> LaunchPlanner.Session {
  LaunchPlanner.Session(
    id: .random(),
    content: content,
    context: Array("null".utf8),
    standard: [input, output, input],
    named: [],
    identity: Setting.identity
  )
}

/// Runs something and says how many nanoseconds it took.
func nanoseconds<Result>(_ body: () throws -> Result) rethrows -> (result: Result, time: UInt64) {
  let began = MonotonicClock.now
  let result = try body()
  return (result, MonotonicClock.now - began)
}

/// Does several things `rounds` times, in another random order each round, so that what else the machine does falls on
/// all of them alike.
func interleave(rounds: Int, _ things: [() throws -> Void]) throws {
  for _ in 0..<rounds {
    for thing in things.shuffled() { try thing() }
  }
}

/// Measures how long several things take, in turns, and makes a table of it.
func compare(
  _ title: String,
  rounds: Int,
  notes: [String] = [],
  _ steps: [(name: String, step: () throws -> Void)]
) throws -> Table {
  var series = steps.map { Series($0.name) }
  // The first time in the order of the list: what comes later profits from tables that are there already.
  for index in steps.indices { series[index].add(nanoseconds: try nanoseconds(steps[index].step).time) }
  try interleave(
    rounds: rounds,
    steps.indices.map { index in
      { series[index].add(nanoseconds: try nanoseconds(steps[index].step).time) }
    }
  )
  return Table(title, series, baseline: steps.first?.name ?? "", notes: notes)
}
