// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import Glibc
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionStore

/// Runs many sessions in one host and prints the host's resources after the first and the last session.
@main struct SessionLoop {
  /// The arguments are the state root and the number of sessions. With a program and a number of seconds, all
  /// sessions run at once for that time. With only a number, a program is launched so often without sessions.
  static func main() throws {
    let words = CommandLine.arguments
    if words.count == 2, let count = Int(words[1]) { return try RepeatedLaunches.run(count) }
    if words.count == 5, let count = Int(words[2]), let seconds = Int(words[4]) {
      let concurrent = try ConcurrentSessions(StateRoot(path: words[1]), program: words[3], seconds: seconds)
      let faults = try concurrent.run(count)
      guard faults.isEmpty else {
        throw UnexpectedOutcome(outcome: "\(faults.count) sessions, of them \(faults[0])")
      }
      return
    }
    guard words.count == 3, let count = Int(words[2]) else { throw UsageError() }
    let root = StateRoot(path: words[1])
    let signals = try HostSignals()
    try root.prepare()
    let runner = SessionRunner(stateRoot: root, signals: signals)
    let policy = try PolicyFinder.find("capture")
    let app = try root.app("org.example.loop")
    for number in 1...count {
      let subject = LaunchTarget(
        program: .shown("/usr/bin/sh"),
        arguments: ["-c", "echo \(number) >/session/number"],
        environment: [],
        policy: policy.policy
      )
      let request = SessionRequest(
        subject: subject,
        extension: .init(app: app, id: "org.example.loop.exec", policyDigest: policy.digest),
        conversation: .silent,
        devices: .stream(from: number % 4 == 0 ? "pattern:64x32@30" : nil),
        standard: number % 2 == 0 ? .logged(echo: nil) : .inherited
      )
      let report = try runner.run(request, control: NoControl())
      guard report.record.outcome == .completed(exitCode: 0) else {
        throw UnexpectedOutcome(outcome: "\(report.record.outcome)")
      }
      if number == 4 || number == count { try printResources() }
    }
  }

  /// Prints the resources of this process. In the background, the host releases those of the last session, and
  /// prepares the next one again after a mount of another process. The median of several measurements is the
  /// number between these moments.
  private static func printResources() throws {
    var counts: [Int] = []
    for _ in 0..<25 {
      counts.append(try FileSystem.names(in: "/proc/self/fd").count)
      usleep(20_000)
    }
    let descriptors = counts.sorted()[counts.count / 2]
    let threads = try FileSystem.names(in: "/proc/self/task").count
    let mounts = try FileSystem.open("/proc/self/mountinfo", .read).readAll(limit: 1 << 24)?.count ?? 0
    let children = waitpid(-1, nil, WNOHANG) == -1 ? "no child" : "children"
    print("\(descriptors) descriptors, \(threads) threads, \(mounts) bytes of mounts, \(children)")
  }

  private struct UsageError: Error {}
  /// A session with an unexpected outcome.
  struct UnexpectedOutcome: Error { var outcome: String }
}
