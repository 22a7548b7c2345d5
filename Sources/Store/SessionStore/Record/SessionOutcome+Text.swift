// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension SessionOutcome: CustomStringConvertible {
  /// The outcome as text without a final period.
  package var description: String {
    switch self {
    case .completed(let exitCode): "the extension ended with exit code \(exitCode)"
    case .signaled(let signal): "the extension was ended by \(signal)"
    case .violated(let violation):
      "the extension was ended because it \(violation.rule.phrase)"
        + (violation.detail.map { ": \($0)" } ?? "")
    case .timedOut(.launch): "the extension was not ready before its launch deadline"
    case .timedOut(.wallClock): "the session took longer than its policy allows"
    case .watchdog(let watchdog):
      "the extension was ended because it had not done what it has to before its launch deadline: it \(watchdog.phrase)"
        + watchdog.arrivalPhrase
    case .protocolViolation(let fault): "the extension broke the protocol: \(fault.sentence)"
    case .dismissed(let dismissal):
      dismissal.by.phrase + (dismissal.ending.map { ", and the extension \($0.phrase)" } ?? "")
    case .hostFailure(let fault) where fault.stage == .launch:
      "the extension was not started: \(fault.sentence)"
    case .hostFailure(let fault): "the host could not go on with the session: \(fault.sentence)"
    }
  }
}

extension SessionOutcome.Rule {
  /// The part of the sentence after "because it".
  fileprivate var phrase: String {
    switch self {
    case .systemCall:
      "made a system call that ends whoever makes it: one of another architecture, or one that is marked as a launch marks "
        + "its own; build it for this machine's architecture alone, and have no call carry that mark"
    case .sessionBytes: "wrote more to its session directory than its policy allows"
    case .sessionFiles: "made more files in its session directory than its policy allows"
    case .outputBytes: "wrote more to its standard output and error than its policy allows"
    case .fileSize: "wrote a larger file than its policy allows"
    case .processorTime: "took more processor time than its policy allows"
    case .memory: "took more memory than its policy allows"
    case .processes: "made as many processes and threads as its policy allows, and kept them"
    case .refusals: "went on making refused calls faster than they can be explained"
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
        "\(duty.subject) came after \($0) ms" + (missing.contains(duty) ? " and went" : "")
      }
    }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }
}

extension SessionOutcome.Requirement {
  /// The subject of the requirement.
  fileprivate var subject: String {
    switch self {
    case .cameraAccess: "the camera"
    case .viewfinder: "the viewfinder"
    case .captureEvents: "the subscription"
    }
  }

  /// The missing requirement: the part of the sentence after "it".
  fileprivate var phrase: String {
    switch self {
    case .cameraAccess: "had not got the camera"
    case .viewfinder: "had shown no viewfinder"
    case .captureEvents: "had not subscribed to capture events"
    }
  }
}

extension SessionOutcome.Dismisser {
  /// The initiator as a sentence.
  fileprivate var phrase: String {
    switch self {
    case .user: "the session was dismissed"
    case .extension: "the extension dismissed its session"
    case .applicationOpened: "the session ended because its app was opened"
    case .lockChanged: "the session ended because the lock state changed"
    case .idle: "the session ended because nobody did anything"
    case .powerKey: "the session was dismissed with the power key"
    case .hostStopped: "the host was told to stop"
    case .hostDied: "the host died during the session, and the session was recovered"
    }
  }
}

extension SessionOutcome.Ending {
  /// The part of the sentence after "and the extension".
  fileprivate var phrase: String {
    switch self {
    case .exited(let exitCode): "then ended with exit code \(exitCode)"
    case .signaled(let signal): "was then ended by \(signal)"
    case .requested(let signal): "ended when the host sent it \(signal)"
    case .timedOut: "was killed because it did not end in the time that it had"
    }
  }
}
