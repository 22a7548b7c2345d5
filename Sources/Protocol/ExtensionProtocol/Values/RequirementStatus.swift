// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A requirement that a capture extension has to fulfill soon after its launch.
package enum CaptureRequirement: String, CaseIterable, Sendable {
  /// The camera permission is granted, and the extension has requested frames.
  case camera
  /// The extension consumes frames, and has displayed one.
  case viewfinder
  /// The extension has subscribed to capture events.
  case captureEvents
}

/// The requirements that the watchdog is still waiting for, and the remaining time.
package struct RequirementStatus: WireValue, Hashable {
  /// The missing requirements, in the order of ``CaptureRequirement``.
  package var missing: [CaptureRequirement]
  /// The seconds until the watchdog ends the session, or `nil` if the watchdog is not armed.
  package var seconds: Double?

  /// Creates a status.
  package init(missing: [CaptureRequirement], seconds: Double?) {
    self.missing = missing
    self.seconds = seconds
  }

  /// Creates a value from its fields in a message.
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

  /// The value as JSON.
  package var json: JSONValue {
    [
      "missing": .array(missing.map { .string($0.rawValue) }),
      "seconds": seconds.map(JSONValue.seconds) ?? .null,
    ]
  }
}

/// A reason for which the user was not authenticated.
package enum AuthenticationFailure: String, CaseIterable, Sendable {
  /// The credentials are incorrect.
  case failed
  /// The user cancelled the authentication.
  case cancelled
  /// The authentication timed out.
  case timedOut
  /// There were too many attempts; the user can try again later.
  case tooManyAttempts
  /// The machine has no means of authentication.
  case unavailable
}

extension ErrorObject {
  /// Returns the error that the user was not authenticated.
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

  /// The reason for which the user was not authenticated, or `nil` for other errors.
  package var authenticationFailure: AuthenticationFailure? {
    data?["reason"]?.string.flatMap(AuthenticationFailure.init(rawValue:))
  }
}
