// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension SessionOutcome: CustomStringConvertible {
  /// The outcome as text without a final period.
  package var description: String {
    switch self {
    case .completed(let exitCode): "the extension exited with code \(exitCode)"
    case .signaled(let signal): "the extension was terminated by \(signal)"
    case .violated(let violation):
      "the extension was terminated because it \(violation.rule.phrase)"
        + (violation.detail.map { ": \($0)" } ?? "")
    case .timedOut(.launch): "the extension was not ready before its launch deadline"
    case .timedOut(.wallClock): "the session took longer than its policy allows"
    case .watchdog(let watchdog):
      "the extension was terminated because it did not meet the requirements before its launch deadline: it "
        + watchdog.phrase
        + watchdog.arrivalPhrase
    case .protocolViolation(let fault): "the extension violated the protocol: \(fault.sentence)"
    case .dismissed(let dismissal):
      dismissal.by.phrase + (dismissal.ending.map { ", and the extension \($0.phrase)" } ?? "")
    case .hostFailure(let fault) where fault.stage == .launch:
      "the extension was not started: \(fault.sentence)"
    case .hostFailure(let fault): "the host could not continue the session: \(fault.sentence)"
    }
  }
}

extension SessionOutcome.Rule {
  /// The part of the sentence after "because it".
  fileprivate var phrase: String {
    switch self {
    case .systemCall:
      "made a system call that terminates the process (of another architecture, or with the mark of the launcher's "
        + "calls); build it for this machine's architecture only, and do not use that mark"
    case .sessionBytes: "wrote more to its session directory than its policy allows"
    case .sessionFiles: "created more files in its session directory than its policy allows"
    case .outputBytes: "wrote more to its standard output and error than its policy allows"
    case .fileSize: "wrote a larger file than its policy allows"
    case .processorTime: "used more processor time than its policy allows"
    case .memory: "used more memory than its policy allows"
    case .processes: "reached its policy's limit on processes and threads, and did not reduce their number"
    case .refusals: "kept making refused system calls faster than the host can explain them"
    }
  }
}

extension SessionOutcome.Watchdog {
  /// The missing requirements, in the order of their declaration: the part of the sentence after "it".
  fileprivate var phrase: String {
    let parts = SessionOutcome.Requirement.allCases.filter(missing.contains).map(\.phrase)
    return parts.dropLast().joined(separator: ", ") + (parts.count > 1 ? " and " : "") + (parts.last ?? "")
  }
}

extension SessionOutcome.Watchdog {
  /// The satisfied requirements and their times: the end of the sentence.
  fileprivate var arrivalPhrase: String {
    let parts = SessionOutcome.Requirement.allCases.compactMap { duty in
      satisfiedAt[duty].map {
        "\(duty.subject) after \($0) ms" + (missing.contains(duty) ? ", but lost later" : "")
      }
    }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }
}

extension SessionOutcome.Requirement {
  /// The subject of the requirement.
  fileprivate var subject: String {
    switch self {
    case .cameraAccess: "camera access"
    case .viewfinder: "a viewfinder"
    case .captureEvents: "a subscription"
    }
  }

  /// The missing requirement: the part of the sentence after "it".
  fileprivate var phrase: String {
    switch self {
    case .cameraAccess: "had no access to the camera"
    case .viewfinder: "had not shown a viewfinder"
    case .captureEvents: "had not subscribed to capture events"
    }
  }
}

extension SessionOutcome.Dismisser {
  /// The initiator as a sentence.
  fileprivate var phrase: String {
    switch self {
    case .user: "the user dismissed the session"
    case .extension: "the extension dismissed its session"
    case .applicationOpened: "the session ended because its app was opened"
    case .lockChanged: "the session ended because the lock state changed"
    case .idle: "the session ended because the user was inactive"
    case .powerKey: "the user dismissed the session with the power key"
    case .hostStopped: "the host received a signal to stop"
    case .hostDied: "the host exited unexpectedly during the session, and the session was recovered"
    }
  }
}

extension SessionOutcome.Ending {
  /// The part of the sentence after "and the extension".
  fileprivate var phrase: String {
    switch self {
    case .exited(let exitCode): "then exited with code \(exitCode)"
    case .signaled(let signal): "was then terminated by \(signal)"
    case .requested(let signal): "was terminated by \(signal) from the host"
    case .timedOut: "was killed because it did not exit within its grace period"
    }
  }
}
