// SPDX-License-Identifier: Apache-2.0

/// The processes that answer calls in place of a filter, as far as they are known.
///
/// A filter shows only that a call is passed to a supervisor (`SECCOMP_RET_USER_NOTIF`) or a tracer (`SECCOMP_RET_TRACE`).
/// Either of them may let the call be made, so that the call counts as permitted unless the answer is known.
package struct Supervision: Sendable, Hashable {
  /// The answer to notifications.
  package var notifications: Answer
  /// The answer of a tracer; without a tracer the call fails with `ENOSYS`.
  package var traces: Answer

  /// The knowledge about the answers of another process.
  package enum Answer: String, CaseIterable, Sendable, Hashable {
    /// Every call is refused.
    case refused
    /// Nothing is known: a call may be made.
    case unknown
  }

  /// Creates a statement about the answers.
  package init(notifications: Answer, traces: Answer = .unknown) {
    self.notifications = notifications
    self.traces = traces
  }

  /// Nothing is known of supervisor and tracer.
  package static let unknown = Supervision(notifications: .unknown)
  /// The supervisor refuses every call, as the host of a session does; nothing is known of a tracer.
  package static let notificationsRefused = Supervision(notifications: .refused)
}

extension Verdict {
  /// Whether the kernel makes the call without asking another process.
  package var isMade: Bool { self == .allow || self == .log }

  /// Whether the call may be made, by the kernel or because a supervisor or tracer lets it pass.
  package func permits(under supervision: Supervision) -> Bool {
    switch self {
    case .allow, .log: true
    case .notify: supervision.notifications == .unknown
    case .trace: supervision.traces == .unknown
    case .killProcess, .killThread, .trap, .errno, .unknown: false
    }
  }
}
