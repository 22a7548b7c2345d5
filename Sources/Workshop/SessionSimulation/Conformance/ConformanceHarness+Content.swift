// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyTrials
internal import SandboxPolicy
internal import SessionStore

extension ConformanceHarness {
  /// The way in which the harness ends a session while the extension is writing.
  private enum EndMethod: String, CaseIterable {
    /// A dismissal, during which the extension can complete its files.
    case dismiss
    /// A quit, which terminates the extension.
    case quit
  }

  /// Checks that all handed-over files are complete if the session ends at the moment a file appears.
  func midWriteVerdict() throws(SimulationError) -> ConformanceVerdict {
    for cut in EndMethod.allCases {
      // The file that appears was created by the press or before it. It is either being written or complete.
      let result = try play("\(openingScript)press primary\nexpect file * within 2s\n\(cut.rawValue)\n")
      if let early = unanswered(result) { return early }
      if cut == .dismiss, let fault = fault(result) { return fault }
      let isThere = result.findings.contains { $0.text.hasPrefix("expect file") && $0.holds }
      guard isThere else { return .notApplicable("a press of the shutter created no file within 2 s") }
      if let incompleteFile = incompleteFile(result, films: cut == .dismiss) { return incompleteFile }
    }
    return .passed("left only complete files when it was terminated while writing")
  }

  /// Returns a failure if an incomplete file was migrated, or `nil` if all migrated files are complete.
  private func incompleteFile(_ result: Simulation.Result, films: Bool) -> ConformanceVerdict? {
    guard let content = result.report.contentPath else { return nil }
    for file in result.report.record.files {
      guard let kind = FileIntegrityCheck.kind(of: file.path), films || kind == .still,
        let missing = FileIntegrityCheck.fault(of: "\(content)/\(file.path)")
      else { continue }
      return .failed(
        "\(file.path) is incomplete: \(missing)",
        fix: "write to \(file.path).part, and rename the file when it is complete"
      )
    }
    return nil
  }

  func fullVerdict() throws(SimulationError) -> ConformanceVerdict {
    let result = try play("\(openingScript)space 0\nwait 100ms\npress primary\nwait 500ms\ndismiss\n")
    return fault(result) ?? incompleteFile(result, films: true)
      ?? .passed("ran without free space or exited with 0, and left no incomplete file")
  }

  func callsVerdict() throws(SimulationError) -> ConformanceVerdict {
    let result = try play(
      "\(openingScript)press primary\nwait 300ms\npress secondary\nwait 300ms\ndismiss\n"
    )
    if let early = unanswered(result) { return early }
    let refusals = result.report.record.refusals
    guard let first = refusals.first else { return .passed("made no refused calls") }
    let names = refusals.map(\.call.name)
    let call = first.call
    let arguments = call.arguments.map(\.text).joined(separator: ", ")
    return .failed(
      "refused calls: \(names.joined(separator: ", ")); first \(call.name)(\(arguments)) by \(call.program)",
      fix:
        "avoid these calls, or allow them in a separate policy, which 'darkroom policy learn' proposes"
    )
  }

  /// Checks that no attempt gets out of a sandbox with the extension's policy.
  func attackVerdict() throws(SimulationError) -> ConformanceVerdict {
    let policy: ResolvedPolicy
    do throws(PolicyFindingError) {
      policy = try PolicyFinder.find(installed.policyPath ?? installed.manifest.policy.shippedName).policy
    } catch { throw .launch(.policy(error)) }
    let results: [AttemptResult]
    do throws(AttackError) { results = try attack(policy) } catch .interrupted {
      throw .stopped
    } catch { return .untried("\(error)") }
    let through = results.filter { $0.verdict == .gotThrough }
    guard let first = through.first else {
      let counts = [
        ("blocked", .blocked), ("not protected by a restricted session", .unprotected),
        ("not possible on this machine", .untried),
      ]
      .map { (words: String, verdict: AttemptResult.Verdict) in
        (results.count { $0.verdict == verdict }, words)
      }
      .filter { $0.0 > 0 }
      return .passed(
        "\(results.count) attempts to escape: " + counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      )
    }
    return .failed(
      "\(through.count) of \(results.count) attempts to escape got through, first \(first.attempt.name): "
        + "\(first.attempt.summary)",
      fix:
        "remove the permissions for them from the policy; see 'darkroom attack --policy' and 'darkroom policy check'"
    )
  }

  /// The maximum length of a directory for the decoys, in bytes: the paths of their sockets are limited to
  /// 107 bytes.
  private static let maximumDirectoryBytes = 60

  /// Makes all attempts, with the decoys next to the state root.
  private func attack(_ policy: ResolvedPolicy) throws(AttackError) -> [AttemptResult] {
    let program = try ProbeProgram.find(probePath)
    let beside = FileSystem.directoryName(root.path)
    let order = AttackBattery.Configuration(
      policy: policy,
      attempts: try program.attempts(),
      place: beside.utf8.count <= Self.maximumDirectoryBytes ? beside : "/tmp",
      proof: .none
    )
    return try AttackBattery(program, order).run(signals)
  }
}
