// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import SandboxPolicy

/// What becomes of a call.
package enum CallAnswer: Sendable, Hashable {
  /// It is made.
  case allowed
  /// It fails.
  case denied(DenialAnswer)
  /// The process ends.
  case killed
  /// No filter sees the call: the kernel answers by itself.
  case bypassed(BypassAnswer)

  /// What the kernel does with a call that no filter sees, where a program makes it by itself.
  package enum BypassAnswer: String, Sendable, Hashable {
    /// The call fails with `ENXIO`.
    case noDevice = "ENXIO"
    /// The kernel sends `SIGILL`, which ends the process.
    case illegalInstruction = "SIGILL"
  }

  /// The calls of x86_64 that Linux makes from its own trampolines, and lets past every filter (`__secure_computing`).
  static let bypassing: [String: BypassAnswer] = ["uretprobe": .illegalInstruction, "uprobe": .noDevice]
}

extension CallAnswer {
  /// The answer in a word: `allowed`, the name of the error, or `killed`.
  package var name: String {
    switch self {
    case .allowed: "allowed"
    case .denied(let answer): answer.rawValue
    case .killed: "killed"
    case .bypassed(let answer): answer.rawValue
    }
  }

  /// Whether the host is told of the call with its arguments.
  package var isReported: Bool { self == .denied(.notPermitted) }

  /// What the filter answers where the answer is this one.
  var verdict: Verdict {
    switch self {
    case .allowed: .allow
    // The corresponding constants are `EPERM`, `ENOSYS`, `EOPNOTSUPP`.
    case .denied(.notPermitted): .errno(1)
    case .denied(.notImplemented): .errno(38)
    case .denied(.notSupported): .errno(95)
    case .killed: .killProcess
    // What the filter would answer, and does on a kernel that has no such exception.
    case .bypassed: .errno(1)
    }
  }

  /// What becomes of a call, after its name.
  package var words: String {
    switch self {
    case .allowed: "is allowed"
    case .denied(.notPermitted): "fails with EPERM, and the host is told of it"
    case .denied(let answer): "fails with \(answer.rawValue), and the host is not told"
    case .killed: "ends the process, and the host takes it for a violation"
    case .bypassed(.noDevice): "fails with ENXIO past every filter, and the host is not told"
    case .bypassed(.illegalInstruction): "ends the process by SIGILL past every filter"
    }
  }
}
