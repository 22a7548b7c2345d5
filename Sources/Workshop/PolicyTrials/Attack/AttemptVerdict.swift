// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Judges runs of the probe; looks at nothing but the run and what is known of the attempt.
package enum AttemptVerdict {
  /// The exit codes of the probe.
  private enum Code {
    /// It did what it tried.
    static let succeeded: Int32 = 0
    /// It was refused, or found nothing.
    static let refused: Int32 = 10
    /// It could not be tried.
    static let untried: Int32 = 11
  }

  /// The verdict.
  package static func judge(_ attempt: Attempt, _ run: ProbeRun) -> AttemptResult {
    switch run.status {
    case nil: blocked(attempt, BlockedBy(["limits"], .deadline), "ended at its deadline")
    case .exited(Code.succeeded): result(attempt, .gotThrough, run.text)
    case .exited(Code.refused): refusal(attempt, run)
    case .exited(Code.untried): result(attempt, .untried, run.text)
    case .exited(let code): result(attempt, .untried, "the probe ended with exit code \(code)")
    case .signaled(.badSystemCall): blocked(attempt, BlockedBy(["seccomp"], .signal), "SIGSYS")
    case .signaled(.processorTimeExceeded), .signaled(.fileSizeExceeded), .signaled(.kill):
      blocked(attempt, BlockedBy(["limits"], .signal), run.status.map { "\($0.name)" } ?? "")
    case .signaled(let signal): result(attempt, .untried, "\(signal) ended the probe")
    }
  }

  /// What a refusal means, by the best evidence that there is.
  private static func refusal(_ attempt: Attempt, _ run: ProbeRun) -> AttemptResult {
    if !run.refusedCalls.isEmpty && ["EPERM", "nothing"].contains(run.errno) {
      return blocked(attempt, BlockedBy(["seccomp"], .report, calls: run.refusedCalls), run.text)
    }
    switch run.decisive {
    case .markedFilter: return blocked(attempt, BlockedBy(["seccomp"], .experiment), run.text)
    case .withoutLandlock: return blocked(attempt, BlockedBy(["landlock"], .experiment), run.text)
    case nil: break
    }
    // Nothing of ours answers so if the filter does not: then the kernel has no such call.
    if run.errno == "ENOSYS" {
      return result(attempt, .untried, "this kernel does not have the call (\(run.text))")
    }
    return blocked(attempt, byError(attempt, run.errno), run.text)
  }

  /// What the kernel's error says where neither the filter nor Landlock was the reason. Several layers: one of them.
  private static func byError(_ attempt: Attempt, _ errno: String) -> BlockedBy {
    let candidates: [String]
    switch errno {
    case "ENOENT", "EROFS", "ENOTDIR", "ELOOP", "EXDEV", "ENODEV", "ENXIO": candidates = ["root"]
    // A mount refuses execution so, a file's mode everything, and a limit a better priority.
    case "EACCES": candidates = ["root", "limits", "capabilities", "identity"]
    case "ESRCH": candidates = ["pidNamespace"]
    case "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN": candidates = ["networkNamespace"]
    case "EAGAIN", "ENOMEM", "EMFILE", "EFBIG", "EDQUOT": candidates = ["limits"]
    // A limit in the root is the size of a file system.
    case "ENOSPC": candidates = ["root", "limits"]
    case "EPERM": candidates = ["capabilities", "userNamespace", "root", "limits"]
    default: return BlockedBy(attempt.layers, .expectation)
    }
    let expected = candidates.filter(attempt.layers.contains)
    return BlockedBy(expected.isEmpty ? [candidates[0]] : expected, .errno)
  }

  /// The result of an attempt that something stopped.
  private static func blocked(_ attempt: Attempt, _ by: BlockedBy, _ note: String) -> AttemptResult {
    AttemptResult(attempt: attempt, verdict: .blocked, blockedBy: by, note: note)
  }

  /// The result of an attempt that nothing stopped, or that was none.
  private static func result(
    _ attempt: Attempt,
    _ verdict: AttemptResult.Verdict,
    _ note: String
  ) -> AttemptResult {
    AttemptResult(attempt: attempt, verdict: verdict, blockedBy: nil, note: note)
  }

  /// The experiments that can tell more of a run, in the order in which they are made.
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
  /// The status in a word.
  fileprivate var name: String {
    switch self {
    case .exited(let code): "exit code \(code)"
    case .signaled(let signal): "\(signal)"
    }
  }
}
