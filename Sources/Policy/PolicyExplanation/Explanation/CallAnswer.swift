// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import SandboxPolicy

/// The result of a call under a policy.
package enum CallAnswer: Sendable, Hashable {
  /// The kernel executes the call.
  case allowed
  /// The call fails with an error.
  case denied(DenialErrno)
  /// The kernel kills the process.
  case killed
  /// The filter is not evaluated for the call, and the kernel answers by itself.
  case bypassed(BypassAnswer)

  /// The kernel's answer to a call that bypasses filters and that the program makes by itself.
  package enum BypassAnswer: String, Sendable, Hashable {
    /// The call fails with `ENXIO`.
    case noDevice = "ENXIO"
    /// The kernel sends `SIGILL`, which terminates the process.
    case illegalInstruction = "SIGILL"
  }

  /// The calls of x86_64 that Linux makes from its own trampolines and does not filter
  /// (`__secure_computing`).
  static let bypassingCalls: [String: BypassAnswer] = ["uretprobe": .illegalInstruction, "uprobe": .noDevice]
}

extension CallAnswer {
  /// The short name of the answer: `allowed`, the name of the error or signal, or `killed`.
  package var name: String {
    switch self {
    case .allowed: "allowed"
    case .denied(let answer): answer.rawValue
    case .killed: "killed"
    case .bypassed(let answer): answer.rawValue
    }
  }

  /// Whether the host is notified of the call and its arguments.
  package var isReported: Bool { self == .denied(.notPermitted) }

  /// The verdict of the filter for this answer.
  var verdict: Verdict {
    switch self {
    case .allowed: .allow
    // The corresponding constants are `EPERM`, `ENOSYS`, `EOPNOTSUPP`.
    case .denied(.notPermitted): .errno(1)
    case .denied(.notImplemented): .errno(38)
    case .denied(.notSupported): .errno(95)
    case .killed: .killProcess
    // The filter's verdict, which has an effect only on kernels without the exception for this call.
    case .bypassed: .errno(1)
    }
  }

  /// The answer as the predicate of a sentence about the call.
  package var predicate: String {
    switch self {
    case .allowed: "is allowed"
    case .denied(.notPermitted): "fails with EPERM and is reported to the host"
    case .denied(let answer): "fails with \(answer.rawValue) and is not reported to the host"
    case .killed: "kills the process, and the host records a violation"
    case .bypassed(.noDevice): "fails with ENXIO without a filter decision, and is not reported to the host"
    case .bypassed(.illegalInstruction): "terminates the process by SIGILL without a filter decision"
    }
  }
}
