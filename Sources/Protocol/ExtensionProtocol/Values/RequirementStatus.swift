// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What a capture extension has to do soon after its launch, as the host sees it done.
package enum CaptureRequirement: String, CaseIterable, Sendable {
  /// The camera may be used, and frames were asked for.
  case camera
  /// Frames are consumed, and one was presented to the person.
  case viewfinder
  /// Capture events are subscribed to.
  case captureEvents
}

/// What the watchdog still misses, and how much time there is.
package struct RequirementStatus: WireValue, Hashable {
  /// What is missing, in the order of ``CaptureRequirement``.
  package var missing: [CaptureRequirement]
  /// The seconds until the session ends if something is missing then; nil: the watchdog is not armed any more.
  package var seconds: Double?

  /// Makes a status.
  package init(missing: [CaptureRequirement], seconds: Double?) {
    self.missing = missing
    self.seconds = seconds
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    let names = CaptureRequirement.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    missing = try fields.read("missing", "an array of \(names)") { value in
      let found = value.elements?.compactMap { $0.string.flatMap(CaptureRequirement.init(rawValue:)) }
      return found?.count == value.elements?.count ? found : nil
    }
    seconds =
      try fields.value("seconds", expected: "a number of seconds or null").isNull
      ? nil : try fields.seconds("seconds")
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "missing": .array(missing.map { .string($0.rawValue) }),
      "seconds": seconds.map(JSONValue.seconds) ?? .null,
    ]
  }
}

/// Why a person has not proved who they are.
package enum AuthenticationFailure: String, CaseIterable, Sendable {
  /// What they gave is not theirs.
  case failed
  /// They did not want to.
  case cancelled
  /// They took too long.
  case timedOut
  /// It was tried too often; later again.
  case tooManyAttempts
  /// This machine has no way to ask.
  case unavailable
}

extension ErrorObject {
  /// The person has not proved who they are.
  package static func authenticationFailed(
    _ reason: AuthenticationFailure,
    _ message: String
  ) -> ErrorObject {
    ErrorObject(
      code: ProtocolErrorCode.authenticationFailed.rawValue,
      message: message,
      data: .object(["reason": .string(reason.rawValue)])
    )
  }

  /// Why the person has not proved who they are, if this error says it.
  package var authenticationFailure: AuthenticationFailure? {
    data?["reason"]?.string.flatMap(AuthenticationFailure.init(rawValue:))
  }
}
