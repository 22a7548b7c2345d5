// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import SandboxLaunch
import SessionStore

/// A group of measurements that belong into one interleaved run.
protocol MeasurementGroup {
  /// The name for `--only`.
  static var name: String { get }
  /// Measures, and says what came of it.
  static func run(_ setting: Setting) throws -> [Section]
}

/// What all measurements need: a state root of their own and a program to launch.
final class Setting {
  /// How often each thing is measured.
  let runs: Int
  /// How many files large content has.
  let files: Int
  /// The release build of `darkroom`, if one was named.
  let darkroom: String?
  /// The static program that all launches launch.
  let payload: String
  /// A state root that goes with this value.
  let root: StateRoot
  /// An app in it.
  let app: AppStore
  /// A session's content directory for launches that are no sessions.
  let content: String
  /// The same for a launcher that does not change the user.
  let ownContent: String
  private let directory: String

  /// Makes the directories and compiles the payload.
  init(runs: Int, files: Int, directory: String, darkroom: String?) throws {
    self.runs = runs
    self.files = files
    self.darkroom = darkroom
    self.directory = "\(directory)/darkroom-benchmark-\(Randomness.hexadecimal(bytes: 6))"
    content = "\(self.directory)/content"
    ownContent = "\(self.directory)/own-content"
    // Others than the caller must be able to run what lies in it.
    try FileSystem.makeDirectories(self.directory, mode: 0o755)
    try FileSystem.makeDirectories(content)
    try FileSystem.makeDirectories(ownContent)
    if case .other(let user, let group) = Self.identity {
      try FileSystem.open(content, [.directory]).setOwner(user, group: group)
    }
    payload = try Payload.compile(into: self.directory)
    root = StateRoot(path: "\(self.directory)/root")
    try root.prepare()
    app = try root.app("org.example.benchmark")
    try app.prepare()
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Who extensions are outside, as the host decides it: root makes them somebody else.
  static var identity: LaunchPlan.Identity {
    CurrentProcess.effectiveUserID == 0 ? .other(user: 1_879_048_192, group: 1_879_048_192) : .caller
  }

  /// What planning needs to know of a session with these standard streams.
  func session(input: Int32, output: Int32) -> LaunchPlanner.Session {
    LaunchPlanner.Session(
      id: .random(),
      content: content,
      context: Array("null".utf8),
      standard: [input, output, input],
      named: [],
      identity: Self.identity
    )
  }

  /// The payload under a policy that comes with Darkroom.
  func subject(policy: String) throws -> LaunchSubject {
    LaunchSubject(
      program: .file(payload),
      arguments: [],
      environment: [],
      policy: try PolicyFinder.find(policy).policy
    )
  }
}
