// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import Glibc
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionSimulation
internal import SessionStore
internal import Synchronization

/// Concurrent sessions of one host, each with a camera, a viewfinder and a simulated user who presses the
/// shutter.
final class ConcurrentSessions: Sendable {
  /// The number of presses in each session.
  private static let presses = 5

  private let runner: SessionRunner
  private let app: AppStore
  private let program: String
  private let policy: FoundPolicy
  private let seconds: Int
  /// The errors of all sessions.
  private let faults = Mutex<[String]>([])
  /// The number of sessions that have ended.
  private let endedCount = Atomic<Int>(0)

  /// Prepares sessions of an extension that writes one file per press and one more.
  init(_ root: StateRoot, program: String, seconds: Int) throws {
    try root.prepare()
    runner = SessionRunner(stateRoot: root)
    app = try root.app("org.example.together")
    policy = try PolicyFinder.find("capture")
    self.program = program
    self.seconds = seconds
  }

  /// Runs the sessions, prints the peak resources of the host and returns the errors.
  func run(_ count: Int) throws -> [String] {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    if getrlimit(resource, &limit) == 0 {
      limit.rlim_cur = limit.rlim_max
      setrlimit(resource, &limit)
    }
    let began = MonotonicClock.now
    let first = try HeldResources()
    for _ in 0..<count {
      // The count replaces a join: a released thread exits by itself.
      _ = try PlainThread.start(name: "session") {
        do { try self.runOne() } catch { self.faults.withLock { $0.append("\(error)") } }
        self.endedCount.add(1, ordering: .releasing)
      }
    }
    var most = first
    while endedCount.load(ordering: .acquiring) < count {
      usleep(200_000)
      most = most.largest(try HeldResources())
    }
    let took = Double(MonotonicClock.now - began) / 1_000_000_000
    print("\(count) sessions in \(took) s; before: \(first); at most: \(most); after: \(try HeldResources())")
    return faults.withLock { $0 }
  }

  private func runOne() throws {
    var script = "wait \(seconds)s\n"
    for _ in 0..<Self.presses { script += "press primary\nwait 100ms\n" }
    let request = SessionRequest(
      subject: LaunchTarget(program: .file(program), arguments: [], environment: [], policy: policy.policy),
      extension: .init(app: app, id: "org.example.together.capture", policyDigest: policy.digest),
      conversation: .messages,
      devices: .init(frames: .ring, camera: "pattern:64x48@30"),
      times: .init(launchDeadline: 300, dismissalGrace: 60),
      standard: .logged(echo: nil)
    )
    let control = ScriptedControl(try SessionScript(script + "dismiss\n", name: "script"))
    let record = try runner.run(request, control: control).record
    if record.files.count != Self.presses + 1 {
      faults.withLock { $0.append("\(record.files.count) files, \(record.outcome)") }
    }
    guard case .dismissed = record.outcome else {
      throw SessionLoop.UnexpectedOutcome(outcome: "\(record.outcome)")
    }
  }
}

/// The current resources of this process.
private struct HeldResources: CustomStringConvertible {
  var descriptors: Int
  var threads: Int
  /// The private memory, in KiB.
  var memory: Int

  init() throws {
    descriptors = try FileSystem.names(in: "/proc/self/fd").count
    threads = try FileSystem.names(in: "/proc/self/task").count
    let text = String(decoding: try FileSystem.contents("/proc/self/smaps_rollup") ?? [], as: UTF8.self)
    memory = text.split(separator: "\n").filter { $0.hasPrefix("Private_") }
      .compactMap { Int($0.split(separator: " ")[1]) }.reduce(0, +)
  }

  func largest(_ other: HeldResources) -> HeldResources {
    var largest = self
    largest.descriptors = max(descriptors, other.descriptors)
    largest.threads = max(threads, other.threads)
    largest.memory = max(memory, other.memory)
    return largest
  }

  var description: String { "\(descriptors) descriptors, \(threads) threads, \(memory) KiB" }
}
