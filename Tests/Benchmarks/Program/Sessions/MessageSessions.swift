// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LaunchPlanning
import LinuxPrimitives
import SessionStore

/// Sessions of the messaging extension, run by this process like `darkroom run`.
struct MessageSessions: Sendable {
  private let runner: SessionRunner
  private let root: StateRoot
  private let app: String
  private let bundle: String

  /// Prepares the sessions.
  init(_ setup: BenchmarkSetup) {
    runner = SessionRunner(stateRoot: setup.root)
    root = setup.root
    app = setup.app.id
    bundle = setup.bundle
  }

  /// Runs one session and returns the recorded names and nanoseconds.
  func run(
    _ arguments: [String],
    control: any SessionControl = NoControl()
  ) throws -> [(name: String, nanoseconds: UInt64)] {
    let policy = try PolicyFinder.find("capture")
    let subject = LaunchTarget(
      program: .bundled(directory: bundle, executable: Payload.talk.file),
      arguments: arguments,
      environment: [],
      policy: policy.policy
    )
    let request = SessionRequest(
      subject: subject,
      extension: .init(
        app: try root.app(app),
        id: "org.example.benchmark.talk",
        policyDigest: policy.digest
      ),
      conversation: .messages,
      devices: .init(frames: .none),
      // Hundreds of concurrent sessions take long on a busy machine, and their duration is the measurement.
      times: .init(launchDeadline: 300, dismissalGrace: 120),
      standard: .logged(echo: nil)
    )
    let report = try runner.run(request, control: control)
    let didSucceed =
      switch report.record.outcome {
      case .completed(exitCode: 0), .dismissed: true
      default: false
      }
    guard didSucceed, let content = report.contentPath else {
      throw BenchmarkError.unexpectedContents("\(report.record.outcome): \(report.outputTail)")
    }
    let text = try FileSystem.contents("\(content)/result") ?? []
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    return lines.compactMap { words in
      guard words.count == 2, let time = UInt64(words[1]) else { return nil }
      return (String(words[0]), time)
    }
  }
}
