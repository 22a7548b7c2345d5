// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// A pattern for the outcome of a session: a kind of outcome, and details.
package struct OutcomePattern: Sendable, Hashable {
  /// The kind, by its name in session records.
  package var kind: String
  /// The required details, such as the dismisser, the way in which the extension ended, a rule or a code.
  package var details: [String]

  /// The kinds with their valid details. Numeric details are not listed.
  static let kinds: [(kind: String, details: [String])] = [
    ("completed", []),
    (
      "dismissed",
      SessionOutcome.Dismisser.allCases.map(\.rawValue) + ["exited", "requested", "killed", "timedOut"]
    ),
    ("watchdog", SessionOutcome.Requirement.allCases.map(\.rawValue)),
    ("timedOut", SessionOutcome.Deadline.allCases.map(\.rawValue)),
    ("violated", SessionOutcome.Rule.allCases.map(\.rawValue)),
    ("signaled", []), ("protocolViolation", []), ("hostFailure", []),
  ]

  /// The details in the spelling of earlier versions, and their current spelling.
  private static let earlierSpellings = ["person": "user", "asked": "requested", "outstayed": "timedOut"]

  /// Returns a detail in its current spelling.
  private static func currentSpelling(_ word: String) -> String { earlierSpellings[word] ?? word }

  /// The kinds that can have a numeric detail.
  private static let kindsWithNumber: Set = ["completed", "dismissed", "signaled"]

  /// Returns the syntax of the patterns of a kind.
  static func form(of kind: String) -> String {
    let tokens = kinds.first { $0.kind == kind }?.details ?? []
    let parts = tokens + (kindsWithNumber.contains(kind) ? ["a number"] : [])
    return parts.isEmpty
      ? "\(kind) without details" : "\(kind), or \(kind) with any of: \(parts.joined(separator: ", "))"
  }

  /// Parses the tokens of a pattern.
  init(_ tokens: [String]) throws(ParseError) {
    guard let kind = tokens.first, let known = Self.kinds.first(where: { $0.kind == kind }) else {
      throw .kind(tokens.first ?? "")
    }
    for word in tokens.dropFirst() where !known.details.contains(Self.currentSpelling(word)) {
      guard Self.kindsWithNumber.contains(kind), let number = Int(word), (0...255).contains(number) else {
        throw .detail(kind, word)
      }
    }
    self.kind = kind
    details = tokens.dropFirst().map(Self.currentSpelling)
  }

  /// An error in the tokens of a pattern.
  enum ParseError: Error {
    /// The first token is not a kind.
    case kind(String)
    /// The detail is not valid for this kind.
    case detail(String, String)
  }

  /// Whether an outcome matches the pattern.
  package func matches(_ outcome: SessionOutcome) -> Bool {
    let tokens = Self.tokens(outcome)
    return tokens.first == kind && details.allSatisfy(tokens.dropFirst().contains)
  }

  /// Returns the tokens of an outcome, the kind first.
  static func tokens(_ outcome: SessionOutcome) -> [String] {
    switch outcome {
    case .completed(let code): ["completed", "\(code)"]
    case .signaled(let signal): ["signaled", "\(signal.rawValue)"]
    case .violated(let violation): ["violated", violation.rule.rawValue]
    case .timedOut(let deadline): ["timedOut", deadline.rawValue]
    case .watchdog(let watchdog): ["watchdog"] + watchdog.missing.map(\.rawValue).sorted()
    case .protocolViolation: ["protocolViolation"]
    case .hostFailure: ["hostFailure"]
    case .dismissed(let dismissal): ["dismissed", dismissal.by.rawValue] + tokens(dismissal.ending)
    }
  }

  private static func tokens(_ ending: SessionOutcome.Ending?) -> [String] {
    switch ending {
    case .exited(let code): ["exited", "\(code)"]
    case .signaled(let signal): ["killed", "\(signal.rawValue)"]
    case .requested: ["requested"]
    case .timedOut: ["timedOut"]
    case nil: []
    }
  }
}
