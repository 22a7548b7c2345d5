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
  /// The extension did not do what a capture extension has to do soon after its launch, and was ended for it.
  case watchdog(Watchdog)
  /// What the extension sent is not the protocol.
  case protocolViolation(ProtocolFault)
  /// The extension was told to end, or was ended because the session was over.
  case dismissed(Dismissal)
  /// The host could not start the extension, or could not go on with it.
  case hostFailure(HostFault)

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
    /// As many processes and threads as allowed, and no fewer for a while.
    case processes
    /// More refused calls in a short time than can be explained.
    case refusals
  }

  /// The times that can run out.
  package enum Deadline: String, Hashable, Sendable, CaseIterable {
    /// The time between launch and readiness.
    case launch
    /// The time that a whole session may take.
    case wallClock
  }

  /// What was missing when the extension should have been at work.
  package struct Watchdog: Hashable, Sendable {
    /// The things that were missing; at least one.
    package var missing: Set<Duty>
    /// When each thing came for the first time, in milliseconds after the launch; also what was lost again.
    package var came: [Duty: Int64]

    /// Names what was missing, and when the rest came.
    package init(missing: Set<Duty>, came: [Duty: Int64] = [:]) {
      self.missing = missing
      self.came = came
    }
  }

  /// What a capture extension has to do soon after its launch.
  package enum Duty: String, Hashable, Sendable, CaseIterable {
    /// To ask for the camera, and be given it.
    case cameraAccess
    /// To take frames and show a viewfinder.
    case viewfinder
    /// To subscribe to capture events.
    case captureEvents
  }

  /// What was wrong with a message.
  package struct ProtocolFault: Hashable, Sendable {
    /// A sentence for people.
    package var sentence: String

    /// Describes a fault.
    package init(sentence: String) { self.sentence = sentence }
  }

  /// Where the host failed.
  package struct HostFault: Hashable, Sendable {
    /// The two parts of a session that differ in what was left to lose.
    package enum Stage: String, Hashable, Sendable, CaseIterable {
      /// The program had not run yet.
      case launch
      /// The program ran.
      case session
    }

    /// Whether the program ran already.
    package var stage: Stage
    /// The step that failed, by its name.
    package var step: String
    /// The name of the errno that it failed with, where there is one.
    package var errno: String?
    /// What that means and how to mend it.
    package var sentence: String

    /// Describes a fault.
    package init(_ stage: Stage = .launch, step: String, errno: String?, sentence: String) {
      self.stage = stage
      self.step = step
      self.errno = errno
      self.sentence = sentence
    }
  }
}

extension SessionOutcome {
  /// Who ended the session, and how the extension took it.
  package struct Dismissal: Hashable, Sendable {
    /// Who ended it.
    package var by: Dismisser
    /// How the extension ended then; nil if it was killed together with the session.
    package var ending: Ending?

    /// Describes a dismissal.
    package init(by: Dismisser, ending: Ending? = nil) {
      self.by = by
      self.ending = ending
    }
  }

  /// Who, or what, ends a session.
  package enum Dismisser: String, Hashable, Sendable, CaseIterable {
    /// The person dismissed it.
    case person
    /// The extension asked for it with `session/dismiss`.
    case `extension`
    /// The app was opened instead.
    case applicationOpened
    /// The lock state changed.
    case lockChanged
    /// Nobody did anything for a while.
    case idle
    /// The person pressed the power key.
    case powerKey
    /// The host was told to stop.
    case hostStopped
    /// The host died; recovery found the session.
    case hostDied
  }

  /// How an extension ended that had been told to.
  package enum Ending: Hashable, Sendable {
    /// By itself.
    case exited(Int32)
    /// By a signal that the host did not send.
    case signaled(Signal)
    /// By the signal with which the host had asked it to end.
    case asked(Signal)
    /// It did not end in its time of grace, and was killed.
    case outstayed
  }
}

extension SessionOutcome {
  /// The exit code with which a command that ran the session should end.
  ///
  /// The extension's own code, also after a dismissal that was nobody's fault; 128 and the signal's number; 124 for a
  /// time that ran out, as timeout(1) has it, be it the time of grace or that of the watchdog; 126 for an extension
  /// that could not be started, as shells have it; 71 (`EX_OSERR`), 76 (`EX_PROTOCOL`) and 77 (`EX_NOPERM`) from
  /// sysexits.h for faults of the host, faults in the protocol and violations; 75 (`EX_TEMPFAIL`) when something else
  /// came between.
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
  /// The exit code for a session that ended so.
  fileprivate var suggestedExitCode: Int32 {
    switch by {
    case .hostStopped, .hostDied, .lockChanged: 75
    case .person, .extension, .applicationOpened, .idle, .powerKey:
      switch ending {
      case .exited(let exitCode): exitCode
      case .signaled(let signal): 128 + signal.rawValue
      case .outstayed: 124
      case .asked, nil: 0
      }
    }
  }
}
