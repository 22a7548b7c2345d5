// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The evaluation of probe runs, based only on the run and the properties of the attempt.
package enum AttemptEvaluation {
  /// The exit codes of the probe.
  private enum Code {
    /// The attempt succeeded.
    static let succeeded: Int32 = 0
    /// The attempt was refused, or found no target.
    static let refused: Int32 = 10
    /// The attempt could not be made.
    static let untried: Int32 = 11
  }

  /// Returns the result of an attempt.
  package static func evaluate(_ attempt: Attempt, _ run: ProbeRun) -> AttemptResult {
    switch run.status {
    case nil: blocked(attempt, BlockedBy(["limits"], .deadline), "terminated at the deadline")
    case .exited(Code.succeeded): result(attempt, success(attempt, run), run.text)
    case .exited(Code.refused): refusal(attempt, run)
    case .exited(Code.untried): result(attempt, .untried, run.text)
    case .exited(let code): result(attempt, .untried, "the probe exited with code \(code)")
    case .signaled(.badSystemCall): blocked(attempt, BlockedBy(["seccomp"], .signal), "SIGSYS")
    case .signaled(.processorTimeExceeded), .signaled(.fileSizeExceeded), .signaled(.kill):
      blocked(attempt, BlockedBy(["limits"], .signal), run.status.map { "\($0.name)" } ?? "")
    case .signaled(let signal): result(attempt, .untried, "the probe was terminated by \(signal)")
    }
  }

  /// Returns the verdict on a successful attempt.
  private static func success(_ attempt: Attempt, _ run: ProbeRun) -> AttemptResult.Verdict {
    let isUnprotected = !attempt.layers.isEmpty && run.missingLayers.isSuperset(of: attempt.layers)
    return isUnprotected ? .unprotected : .gotThrough
  }

  /// Returns the result of a refused attempt, from the best available evidence.
  private static func refusal(_ attempt: Attempt, _ run: ProbeRun) -> AttemptResult {
    if !run.refusedCalls.isEmpty && ["EPERM", "nothing"].contains(run.errno) {
      return blocked(attempt, BlockedBy(["seccomp"], .report, calls: run.refusedCalls), run.text)
    }
    switch run.decisiveExperiment {
    case .markedFilter: return blocked(attempt, BlockedBy(["seccomp"], .experiment), run.text)
    case .withoutLandlock: return blocked(attempt, BlockedBy(["landlock"], .experiment), run.text)
    case nil: break
    }
    // Neither the policy nor a layer answers with `ENOSYS` if the filter does not: this kernel does not have
    // the call.
    if run.errno == "ENOSYS" {
      return result(attempt, .untried, "the call is unavailable on this kernel (\(run.text))")
    }
    return blocked(attempt, byError(attempt, run.errno), run.text)
  }

  /// Returns the layers that an errno indicates if neither the filter nor Landlock caused it. Several layers
  /// mean that one of them did.
  private static func byError(_ attempt: Attempt, _ errno: String) -> BlockedBy {
    let candidates: [String]
    switch errno {
    case "ENOENT", "EROFS", "ENOTDIR", "ELOOP", "EXDEV", "ENODEV", "ENXIO": candidates = ["root"]
    // The errno of a noexec mount, of file permissions, and of the priority limit.
    case "EACCES": candidates = ["root", "limits", "capabilities", "identity"]
    case "ESRCH": candidates = ["pidNamespace"]
    case "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN": candidates = ["networkNamespace"]
    case "EAGAIN", "ENOMEM", "EMFILE", "EFBIG", "EDQUOT": candidates = ["limits"]
    // For the root, this is the size limit of a file system.
    case "ENOSPC": candidates = ["root", "limits"]
    case "EPERM": candidates = ["capabilities", "userNamespace", "root", "limits"]
    default: return BlockedBy(attempt.layers, .expectation)
    }
    let expected = candidates.filter(attempt.layers.contains)
    return BlockedBy(expected.isEmpty ? [candidates[0]] : expected, .errno)
  }

  /// Creates the result of a blocked attempt.
  private static func blocked(_ attempt: Attempt, _ by: BlockedBy, _ note: String) -> AttemptResult {
    AttemptResult(attempt: attempt, verdict: .blocked, blockedBy: by, note: note)
  }

  /// Creates the result of an attempt that was not blocked, or not made.
  private static func result(
    _ attempt: Attempt,
    _ verdict: AttemptResult.Verdict,
    _ note: String
  ) -> AttemptResult {
    AttemptResult(attempt: attempt, verdict: verdict, blockedBy: nil, note: note)
  }

  /// Returns the experiments that can provide more evidence for a run, in order.
  package static func experiments(after run: ProbeRun) -> [Experiment] {
    guard run.status == .exited(Code.refused), run.refusedCalls.isEmpty || run.errno != "EPERM" else {
      return []
    }
    switch run.errno {
    case "ENOSYS", "EOPNOTSUPP": return [.markedFilter]
    case "EACCES", "EPERM", "EXDEV": return [.withoutLandlock]
    default: return []
    }
  }
}

extension ExitStatus {
  /// The status as text.
  fileprivate var name: String {
    switch self {
    case .exited(let code): "exit code \(code)"
    case .signaled(let signal): "\(signal)"
    }
  }
}
