// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LaunchPlanning
import LinuxPrimitives
import SessionStore

/// Sessions of a program in C that writes nothing, run by this process like those of `darkroom exec` and
/// `darkroom batch`.
struct ProgramSession: Sendable {
  /// The app of the sessions, in a state root of its own.
  let app: AppStore
  /// The path of the program.
  let program: String
  private let policy: FoundPolicy

  /// Creates a state root with a name.
  init(_ setup: BenchmarkSetup, root name: String) throws {
    let root = StateRoot(path: "\(setup.directory)/\(name)")
    try root.prepare()
    app = try root.app(setup.app.id)
    try app.prepare()
    program = setup.path(.staticC)
    policy = try PolicyFinder.find("capture")
  }

  /// Runs one session, which sees an input file if a path is given.
  func run(_ runner: SessionRunner, input: String? = nil) throws {
    var target = LaunchTarget(
      program: .file(program),
      arguments: [],
      environment: [],
      policy: policy.policy
    )
    if let input {
      target.arguments = [input]
      target.readOnly.append(input)
    }
    let request = SessionRequest(
      subject: target,
      extension: .init(app: app, id: "\(app.id).exec", policyDigest: policy.digest),
      conversation: .silent,
      devices: .init(frames: .none),
      times: .init(watchdog: .off),
      standard: .logged(echo: nil)
    )
    let outcome = try runner.run(request, control: NoControl()).record.outcome
    guard outcome == .completed(exitCode: 0) else { throw BenchmarkError.unexpectedContents("\(outcome)") }
  }
}
