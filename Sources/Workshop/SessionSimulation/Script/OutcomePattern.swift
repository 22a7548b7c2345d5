// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// How a session is expected to end: a kind of outcome, and words that are said of it.
package struct OutcomePattern: Sendable, Hashable {
  /// The kind, by the name that records have for it.
  package var kind: String
  /// What else is said: who dismissed it, how the extension ended then, which rule, which code.
  package var details: [String]

  /// The kinds, with the words that may be said of each; a number stands for itself.
  static let kinds: [(kind: String, details: [String])] = [
    ("completed", []),
    (
      "dismissed",
      SessionOutcome.Dismisser.allCases.map(\.rawValue) + ["exited", "asked", "killed", "outstayed"]
    ),
    ("watchdog", SessionOutcome.Duty.allCases.map(\.rawValue)),
    ("timedOut", SessionOutcome.Deadline.allCases.map(\.rawValue)),
    ("violated", SessionOutcome.Rule.allCases.map(\.rawValue)),
    ("signaled", []), ("protocolViolation", []), ("hostFailure", []),
  ]

  /// The kinds that a number can be said of.
  private static let numbered: Set = ["completed", "dismissed", "signaled"]

  /// How an outcome of this kind is written.
  static func form(of kind: String) -> String {
    let words = kinds.first { $0.kind == kind }?.details ?? []
    let parts = words + (numbered.contains(kind) ? ["a number"] : [])
    return parts.isEmpty
      ? "\(kind) alone" : "\(kind), or \(kind) and of these: \(parts.joined(separator: ", "))"
  }

  /// Reads the words; the mistake says what is wrong with them.
  init(_ words: [String]) throws(Mistake) {
    guard let kind = words.first, let known = Self.kinds.first(where: { $0.kind == kind }) else {
      throw .kind(words.first ?? "")
    }
    for word in words.dropFirst() where !known.details.contains(word) {
      guard Self.numbered.contains(kind), let number = Int(word), (0...255).contains(number) else {
        throw .detail(kind, word)
      }
    }
    self.kind = kind
    details = Array(words.dropFirst())
  }

  /// What is wrong with the words.
  enum Mistake: Error {
    /// The first is no kind.
    case kind(String)
    /// This kind has nothing like it.
    case detail(String, String)
  }

  /// Whether a session has ended so.
  package func matches(_ outcome: SessionOutcome) -> Bool {
    let words = Self.words(outcome)
    return words.first == kind && details.allSatisfy(words.dropFirst().contains)
  }

  /// What can be said of an outcome, the kind first.
  static func words(_ outcome: SessionOutcome) -> [String] {
    switch outcome {
    case .completed(let code): ["completed", "\(code)"]
    case .signaled(let signal): ["signaled", "\(signal.rawValue)"]
    case .violated(let violation): ["violated", violation.rule.rawValue]
    case .timedOut(let deadline): ["timedOut", deadline.rawValue]
    case .watchdog(let watchdog): ["watchdog"] + watchdog.missing.map(\.rawValue).sorted()
    case .protocolViolation: ["protocolViolation"]
    case .hostFailure: ["hostFailure"]
    case .dismissed(let dismissal): ["dismissed", dismissal.by.rawValue] + words(dismissal.ending)
    }
  }

  private static func words(_ ending: SessionOutcome.Ending?) -> [String] {
    switch ending {
    case .exited(let code): ["exited", "\(code)"]
    case .signaled(let signal): ["killed", "\(signal.rawValue)"]
    case .asked: ["asked"]
    case .outstayed: ["outstayed"]
    case nil: []
    }
  }
}
