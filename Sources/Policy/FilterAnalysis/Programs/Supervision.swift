// SPDX-License-Identifier: Apache-2.0

/// The known behavior of the processes that answer calls instead of the kernel.
///
/// A filter only shows that a call is passed to a supervisor (`SECCOMP_RET_USER_NOTIF`) or a tracer
/// (`SECCOMP_RET_TRACE`). Both can let the kernel execute the call. Such a call therefore counts as permitted
/// unless the answer is known.
package struct Supervision: Sendable, Hashable {
  /// The supervisor's answer to notifications.
  package var notifications: Response
  /// The answer of a tracer. Without a tracer, the call fails with `ENOSYS`.
  package var traces: Response

  /// The known behavior of another process.
  package enum Response: String, CaseIterable, Sendable, Hashable {
    /// The process refuses every call.
    case refused
    /// The behavior is unknown: the process may let the kernel execute a call.
    case unknown
  }

  /// Creates a description of the answers.
  package init(notifications: Response, traces: Response = .unknown) {
    self.notifications = notifications
    self.traces = traces
  }

  /// Unknown behavior of supervisor and tracer.
  package static let unknown = Supervision(notifications: .unknown)
  /// A supervisor that refuses every call, as the host of a session does, and unknown behavior of a tracer.
  package static let notificationsRefused = Supervision(notifications: .refused)
}

extension Verdict {
  /// Whether the kernel executes the call without consulting another process.
  package var executesCall: Bool { self == .allow || self == .log }

  /// Whether the call may be executed: by the filter's verdict, or because a supervisor or tracer may allow
  /// it.
  package func permits(under supervision: Supervision) -> Bool {
    switch self {
    case .allow, .log: true
    case .notify: supervision.notifications == .unknown
    case .trace: supervision.traces == .unknown
    case .killProcess, .killThread, .trap, .errno, .unknown: false
    }
  }
}
