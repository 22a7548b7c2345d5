// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// How a session ended: a value, never an error. Whichever cause came first is the outcome.
package enum SessionOutcome: Hashable, Sendable {
  /// The extension ended by itself.
  case completed(exitCode: Int32)
  /// A signal that the host did not send ended the extension.
  case signaled(Signal)
  /// The extension did what its policy forbids, and was ended for it.
  case violated(Violation)
  /// A time ran out.
  case timedOut(Deadline)
  /// The host, or whoever speaks through it, ended the session.
  case stoppedByHost(StopReason)
  /// What the extension sent is not the protocol.
  case protocolViolation(ProtocolFault)
  /// The extension was never started.
  case launchFailed(LaunchFault)

  /// What was done against the policy.
  package struct Violation: Hashable, Sendable {
    /// The rule that was broken.
    package var rule: Rule
    /// Which call, which file, how much; nil if the rule says it all.
    package var detail: String?

    /// Describes a violation.
    package init(_ rule: Rule, detail: String? = nil) {
      self.rule = rule
      self.detail = detail
    }
  }

  /// The rules whose breach ends a session.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A system call that the policy does not allow.
    case systemCall
    /// More bytes in the session content directory than allowed.
    case sessionBytes
    /// More files in the session content directory than allowed.
    case sessionFiles
    /// More output on standard output and error than allowed.
    case outputBytes
    /// A file larger than allowed.
    case fileSize
    /// More processor time than allowed.
    case processorTime
    /// More memory than allowed.
    case memory
  }

  /// The times that can run out.
  package enum Deadline: String, Hashable, Sendable, CaseIterable {
    /// The time between launch and readiness.
    case launch
    /// The time that a whole session may take.
    case wallClock
    /// The time that the extension has to end after it was told of its dismissal.
    case dismissal
  }

  /// Who ended the session, and why.
  package enum StopReason: String, Hashable, Sendable, CaseIterable {
    /// The person dismissed it.
    case person
    /// The host was told to stop.
    case hostStopped
    /// The host died; recovery found the session.
    case hostDied
    /// The app was opened instead.
    case applicationOpened
    /// The lock state changed.
    case lockChanged
  }

  /// What was wrong with a message.
  package struct ProtocolFault: Hashable, Sendable {
    /// A sentence for people.
    package var sentence: String

    /// Describes a fault.
    package init(sentence: String) { self.sentence = sentence }
  }

  /// Where a launch stopped.
  package struct LaunchFault: Hashable, Sendable {
    /// The step that failed, by its name.
    package var step: String
    /// The name of the errno that it failed with, where there is one.
    package var errno: String?
    /// What that means and how to mend it.
    package var sentence: String

    /// Describes a fault.
    package init(step: String, errno: String?, sentence: String) {
      self.step = step
      self.errno = errno
      self.sentence = sentence
    }
  }
}

extension SessionOutcome {
  /// The exit code with which a command that ran the session should end.
  ///
  /// The extension's own code; 128 and the signal's number; 124 for a time that ran out, as timeout(1) has it; 126
  /// for an extension that could not be started, as shells have it; 76 (`EX_PROTOCOL`) and 77 (`EX_NOPERM`) from
  /// sysexits.h for faults in the protocol and violations; 0 when a session was ended as people wanted it, 75
  /// (`EX_TEMPFAIL`) when something else came between.
  package var suggestedExitCode: Int32 {
    switch self {
    case .completed(let exitCode): exitCode
    case .signaled(let signal): 128 + signal.rawValue
    case .violated: 77
    case .timedOut: 124
    case .stoppedByHost(.person), .stoppedByHost(.applicationOpened): 0
    case .stoppedByHost: 75
    case .protocolViolation: 76
    case .launchFailed: 126
    }
  }
}
