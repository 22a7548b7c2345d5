// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The outcome of a session: a value, never an error. The first cause determines the outcome.
package enum SessionOutcome: Hashable, Sendable {
  /// The extension exited.
  case completed(exitCode: Int32)
  /// The extension was terminated by a signal that the host did not send.
  case signaled(Signal)
  /// The extension was terminated because it violated its policy.
  case violated(Violation)
  /// A deadline passed.
  case timedOut(Deadline)
  /// The extension was terminated because it did not meet the requirements of a capture extension soon after
  /// its launch.
  case watchdog(Watchdog)
  /// The extension sent an invalid message.
  case protocolViolation(ProtocolFault)
  /// The extension was asked to exit, or terminated because the session was over.
  case dismissed(Dismissal)
  /// The host failed to start the extension or to continue the session.
  case hostFailure(HostFault)

  /// A violation of the policy.
  package struct Violation: Hashable, Sendable {
    /// The violated rule.
    package var rule: Rule
    /// The call, file or amount, or `nil` if the rule suffices as a description.
    package var detail: String?

    /// Creates a violation.
    package init(_ rule: Rule, detail: String? = nil) {
      self.rule = rule
      self.detail = detail
    }
  }

  /// The rules whose violation ends a session.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A system call that terminates the process, such as one of a foreign architecture.
    case systemCall
    /// The size limit of the session content directory.
    case sessionBytes
    /// The limit on the number of files in the session content directory.
    case sessionFiles
    /// The limit on the size of standard output and error.
    case outputBytes
    /// The limit on the size of a file.
    case fileSize
    /// The limit on processor time.
    case processorTime
    /// The limit on memory.
    case memory
    /// The limit on processes and threads, reached for some time.
    case processes
    /// More refused calls in a short time than the host can explain.
    case refusals
  }

  /// The deadlines of a session.
  package enum Deadline: String, Hashable, Sendable, CaseIterable {
    /// The time from launch to readiness.
    case launch
    /// The total duration of a session.
    case wallClock
  }

  /// A failure to meet the requirements of a capture extension in time.
  package struct Watchdog: Hashable, Sendable {
    /// The missing requirements; at least one.
    package var missing: Set<Requirement>
    /// The time at which each requirement was first satisfied, in milliseconds after the launch. It includes
    /// requirements that were lost again.
    package var satisfiedAt: [Requirement: Int64]

    /// Creates a failure from the missing requirements and the times of the satisfied ones.
    package init(missing: Set<Requirement>, satisfiedAt: [Requirement: Int64] = [:]) {
      self.missing = missing
      self.satisfiedAt = satisfiedAt
    }
  }

  /// A requirement that a capture extension must meet soon after its launch.
  package enum Requirement: String, Hashable, Sendable, CaseIterable {
    /// Requesting and receiving access to the camera.
    case cameraAccess
    /// Consuming frames and presenting a viewfinder.
    case viewfinder
    /// Subscribing to capture events.
    case captureEvents
  }

  /// An error in a message.
  package struct ProtocolFault: Hashable, Sendable {
    /// The error as a sentence for users.
    package var sentence: String

    /// Creates an error.
    package init(sentence: String) { self.sentence = sentence }
  }

  /// A failure of the host.
  package struct HostFault: Hashable, Sendable {
    /// The stages of a session, which differ in the possible loss of content.
    package enum Stage: String, Hashable, Sendable, CaseIterable {
      /// The program had not started.
      case launch
      /// The program had started.
      case session
    }

    /// The stage of the session.
    package var stage: Stage
    /// The name of the failed step.
    package var step: String
    /// The name of the errno value, or `nil` if there is none.
    package var errno: String?
    /// The meaning of the failure and its fix.
    package var sentence: String

    /// Creates a failure.
    package init(_ stage: Stage = .launch, step: String, errno: String?, sentence: String) {
      self.stage = stage
      self.step = step
      self.errno = errno
      self.sentence = sentence
    }
  }
}

extension SessionOutcome {
  /// The end of a session by a dismissal, and the reaction of the extension.
  package struct Dismissal: Hashable, Sendable {
    /// The initiator of the dismissal.
    package var by: Dismisser
    /// The way in which the extension ended, or `nil` if it was killed together with the session.
    package var ending: Ending?

    /// Creates a dismissal.
    package init(by: Dismisser, ending: Ending? = nil) {
      self.by = by
      self.ending = ending
    }
  }

  /// An initiator of a dismissal.
  package enum Dismisser: String, Hashable, Sendable, CaseIterable {
    /// The user dismissed the session.
    case user
    /// The extension sent `session/dismiss`.
    case `extension`
    /// The app was opened.
    case applicationOpened
    /// The lock state changed.
    case lockChanged
    /// There was no user activity for some time.
    case idle
    /// The user pressed the power key.
    case powerKey
    /// The host received a signal to stop.
    case hostStopped
    /// The host died, and recovery found the session.
    case hostDied
  }

  /// The way in which an extension ended after it was asked to exit.
  package enum Ending: Hashable, Sendable {
    /// The extension exited.
    case exited(Int32)
    /// A signal that the host did not send terminated the extension.
    case signaled(Signal)
    /// The signal by which the host asked the extension to exit terminated it.
    case requested(Signal)
    /// The extension did not exit within the grace period and was killed.
    case timedOut
  }
}

extension SessionOutcome {
  /// Whether a signal to the host has dismissed the session.
  package var isHostStopped: Bool {
    if case .dismissed(let dismissal) = self { dismissal.by == .hostStopped } else { false }
  }

  /// The exit code for a command that ran the session.
  ///
  /// | outcome | exit code |
  /// |---|---|
  /// | the extension exited, including after a regular dismissal | its exit code |
  /// | terminated by a signal | 128 + signal number |
  /// | a deadline or grace period passed, or the watchdog acted | 124, as in timeout(1) |
  /// | the extension could not be started | 126, as in shells |
  /// | failure of the host | 71 (`EX_OSERR` of sysexits.h) |
  /// | invalid message | 76 (`EX_PROTOCOL`) |
  /// | violation of the policy | 77 (`EX_NOPERM`) |
  /// | stopped by the host or a change of the lock state | 75 (`EX_TEMPFAIL`) |
  package var suggestedExitCode: Int32 {
    switch self {
    case .completed(let exitCode): exitCode
    case .signaled(let signal): 128 + signal.rawValue
    case .violated: 77
    case .timedOut, .watchdog: 124
    case .protocolViolation: 76
    case .dismissed(let dismissal): dismissal.suggestedExitCode
    case .hostFailure(let fault): fault.stage == .launch ? 126 : 71
    }
  }
}

extension SessionOutcome.Dismissal {
  /// The exit code for a dismissed session.
  fileprivate var suggestedExitCode: Int32 {
    switch by {
    case .hostStopped, .hostDied, .lockChanged: 75
    case .user, .extension, .applicationOpened, .idle, .powerKey:
      switch ending {
      case .exited(let exitCode): exitCode
      case .signaled(let signal): 128 + signal.rawValue
      case .timedOut: 124
      case .requested, nil: 0
      }
    }
  }
}
