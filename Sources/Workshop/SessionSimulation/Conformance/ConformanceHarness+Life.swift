// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import LinuxPrimitives
internal import SessionStore
internal import Synchronization

extension ConformanceHarness {
  /// Returns a failure if the session ended badly, or `nil`.
  func fault(_ result: Simulation.Result) -> ConformanceVerdict? {
    if let early = unanswered(result) { return early }
    switch result.report.record.outcome {
    case .completed(0): return nil
    case .completed(let code):
      // A program without a protocol can exit with any code to report that it has nothing to do.
      return hasNoProtocol
        ? nil : failed("it exited with code \(code) before its dismissal", result, Self.crashFix)
    case .dismissed(let dismissal): return fault(dismissal, result)
    case let outcome: return failed("\(outcome)", result, Self.crashFix)
    }
  }

  private func fault(
    _ dismissal: SessionOutcome.Dismissal,
    _ result: Simulation.Result
  ) -> ConformanceVerdict? {
    switch dismissal.ending {
    case .exited(0), .requested, nil: return nil
    case .exited(let code):
      return hasNoProtocol
        ? nil : failed("it exited with code \(code) after its dismissal", result, Self.crashFix)
    case .signaled(let signal):
      return failed("it was terminated by \(signal) after its dismissal", result, Self.crashFix)
    case .timedOut:
      let fix =
        hasNoProtocol
        ? "exit at the end of standard input, or on SIGTERM"
        : "read host-in continuously, and exit on session/willDismiss"
      return failed(
        "it did not exit within \(Self.words(grace)) after its dismissal, and was killed",
        result,
        fix
      )
    }
  }

  /// Returns a failure if the extension never answered the first message, or `nil`.
  func unanswered(_ result: Simulation.Result) -> ConformanceVerdict? {
    let isUnanswered = result.findings.contains { $0.text.hasPrefix("await answered") && !$0.holds }
    guard isUnanswered else { return nil }
    return failed(
      "it did not answer session/start: \(result.report.record.outcome)",
      result,
      "read the first line of host-in, and reply to its id with {\"protocolVersion\":1}"
    )
  }

  /// Returns a failure, with the last line that the extension wrote.
  func failed(_ reason: String, _ result: Simulation.Result, _ fix: String) -> ConformanceVerdict {
    let last = result.report.outputTail.split(separator: "\n").last.map(String.init)
    return .failed(reason + (last.map { "; last line of its output: \($0)" } ?? ""), fix: fix)
  }

  /// The fix for crashes.
  static let crashFix =
    "handle errors, and exit with 0 at the end of the session; show the output with 'darkroom simulate --verbose'"

  /// Returns a duration as text.
  static func words(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }

  /// Checks that the extension survives the given events, and ends when it is dismissed.
  func lifeVerdict(_ events: String) throws(SimulationError) -> ConformanceVerdict {
    let result = try play(openingScript + events + "dismiss\n")
    return fault(result) ?? .passed(Self.endingText(result))
  }

  /// Returns a description of how a successful session ended.
  private static func endingText(_ result: Simulation.Result) -> String {
    if case .completed = result.report.record.outcome { return "exited with 0 before its dismissal" }
    return "ran until its dismissal, and exited in time"
  }

  func protocolVerdict() throws(SimulationError) -> ConformanceVerdict {
    let text =
      "await answered within \(answerTimeout)s\nexpect listening within 2s\npress primary\nwait 300ms\ndismiss\n"
    let result = try play(text)
    if case .protocolViolation(let violation) = result.report.record.outcome {
      return failed(
        violation.sentence,
        result,
        "write each message as one line of JSON, as the protocol document specifies"
      )
    }
    return unanswered(result) ?? .passed("answered after \(Self.time(of: "await answered", result))")
  }

  func viewfinderVerdict() throws(SimulationError) -> ConformanceVerdict {
    let seen = hasNoProtocol ? "await frames 1" : "await presented"
    let listening = hasNoProtocol ? "" : "await listening within \(answerTimeout)s\n"
    let result = try play(
      "\(seen) within \(answerTimeout)s\n\(listening)dismiss\n",
      watchdog: .asLaunchDeadline
    )
    if let failure = result.findings.first(where: { $0.text.hasPrefix("await") && !$0.holds }) {
      let fix =
        hasNoProtocol
        ? "read the frames from standard input"
        : "send camera/start and capture/subscribe after the reply, report finished frames, and show them or send "
          + "viewfinder/presented"
      if case .failed(let seen) = failure.verdict { return failed(seen, result, fix) }
      return failed("\(result.report.record.outcome)", result, fix)
    }
    return .passed("the first frame was shown after \(Self.time(of: seen, result))")
  }

  /// Returns the time at which the expectation of a line was met, as text.
  private static func time(of line: String, _ result: Simulation.Result) -> String {
    let time = result.findings.first { $0.text.hasPrefix(line) }?.time ?? 0
    return "\(time / 1_000_000) ms"
  }

  func contextVerdict() throws(SimulationError) -> ConformanceVerdict {
    func context(_ name: String) -> String {
      // The size of the JSON without the value.
      let frame = "{\"\(name)\":\"\"}".utf8.count
      return "{\"\(name)\":\"\(String(repeating: "x", count: AppContextStore.limit - frame))\"}"
    }
    let result = try play(
      "given context \(context("unknown"))\n\(openingScript)context \(context("other"))\nwait 300ms\ndismiss\n"
    )
    return fault(result) ?? .passed("ran with \(AppContextStore.limit) bytes of unknown context")
  }

  func deniedVerdict() throws(SimulationError) -> ConformanceVerdict {
    let beginning =
      hasNoProtocol
      ? "expect no ended within 500ms\n" : "await answered within \(answerTimeout)s\nwait 500ms\n"
    let result = try play("given camera denied\n\(beginning)dismiss\n")
    // An extension that needs a camera may exit and report that.
    if unanswered(result) == nil, case .completed(let code) = result.report.record.outcome {
      return .passed("exited with code \(code)")
    }
    return fault(result) ?? .passed("ran until its dismissal")
  }

  /// Checks two cases: frames stop after some were delivered, or none is ever delivered. An extension that
  /// waits for the first frame must still handle other events.
  func stalledVerdict() throws(SimulationError) -> ConformanceVerdict {
    let later = try lifeVerdict("camera stall\npress primary\nwait 500ms\n")
    guard case .passed = later else { return later }
    let beginning =
      hasNoProtocol
      ? "expect no ended within 500ms\n"
      : "await answered within \(answerTimeout)s\nexpect listening within 2s\n"
    let result = try play("given camera stalled\n\(beginning)wait 300ms\ndismiss\n")
    guard case .failed(let reason, let fix) = fault(result) else { return later }
    return .failed("before its first frame: \(reason)", fix: fix)
  }

  func twiceVerdict() throws(SimulationError) -> ConformanceVerdict {
    let text = "\(openingScript)wait 300ms\ndismiss\n"
    var other = try order(text)
    other.initialState = .shared
    let order = other
    do throws(StoreError) { try SimulatedEnvironment.forget(root.app(installed.app.id)) } catch {
      throw .session(.store(error))
    }
    let (installed, root, beside) = (installed, root, ConcurrentSession())
    let thread: PlainThread
    do throws(SystemCallError) {
      thread = try PlainThread.start(name: "second") { beside.run(order, installed, root) }
    } catch { throw .session(.host(error)) }
    let first = Result { () throws(SimulationError) in try play(order) }
    thread.join()
    let results = [try first.get(), try beside.get()]
    for result in results { if let fault = fault(result) { return fault } }
    return .passed("ran in two separate sessions at the same time")
  }
}

/// A concurrent session on a separate thread.
private final class ConcurrentSession: Sendable {
  private let result = Mutex<Result<Simulation.Result, SimulationError>?>(nil)

  /// Runs the session.
  func run(_ order: Simulation.Configuration, _ installed: InstalledExtension, _ root: StateRoot) {
    let found = Result { () throws(SimulationError) in try Simulation(installed, root, nil).run(order) }
    result.withLock { $0 = found }
  }

  /// Returns the result of the session, which must have ended.
  func get() throws(SimulationError) -> Simulation.Result {
    guard let found = result.withLock({ $0 }) else { throw .stopped }
    return try found.get()
  }
}
