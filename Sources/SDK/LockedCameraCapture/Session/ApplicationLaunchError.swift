// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// The reason why the app was not opened; Apple's cases and codes.
  ///
  /// ``LockedCameraCaptureSession/applicationLaunchFailure`` has more detail. The type has the members of
  /// `CustomNSError`, which only all of Foundation declares.
  public enum ApplicationLaunchError: Int, Error, Equatable, Hashable, Sendable, CustomStringConvertible {
    /// A reason without a case of its own.
    case unknown = 0
    /// The app is not installed, or has no command that opens it.
    case applicationNotFound = 1
    /// The screen is locked, and authentication failed.
    case authenticationFailed = 2

    /// The domain of the error codes.
    public static var errorDomain: String { "LockedCameraCapture.ApplicationLaunchError" }

    /// The domain of an `NSError` that Foundation creates from this error.
    public var _domain: String { Self.errorDomain }

    /// The code: 0, 1 or 2, in the order of the cases.
    public var errorCode: Int { rawValue }

    /// The localized texts of the error.
    public var errorUserInfo: [String: Any] {
      ["NSLocalizedDescription": description, "NSLocalizedFailureReason": reason]
    }

    /// The failure and its reason, as one text.
    public var description: String { "The app was not opened. \(reason)" }

    /// The reason, as a sentence.
    var reason: String {
      switch self {
      case .unknown: "The system could not open the app."
      case .applicationNotFound: "The app is not installed, or cannot be opened."
      case .authenticationFailed: "The machine is locked and was not unlocked."
      }
    }
  }
}

/// The reason why the app was not opened, in the detail that the host reports.
public struct ApplicationLaunchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error that ``LockedCameraCaptureSession/openApplication(for:)`` threw.
  public let error: LockedCameraCaptureSession.ApplicationLaunchError
  /// The detailed reason.
  public let detail: Detail
  /// The error message of the host.
  public let description: String

  /// The detailed reasons why an app was not opened.
  public enum Detail: Sendable, Hashable {
    /// The app is not installed, or has no command that opens it.
    case applicationNotFound
    /// Authentication failed: the credentials were wrong.
    case authenticationFailed
    /// The user canceled authentication.
    case cancelled
    /// Authentication timed out.
    case timedOut
    /// There were too many authentication attempts; try again later.
    case tooManyAttempts
    /// Authentication is unavailable on this machine.
    case authenticationUnavailable
    /// User interaction is required before an extension can open its app.
    case interactionRequired
    /// The app is already being opened.
    case busy
    /// The session has ended or is ending.
    case sessionEnded
    /// Another reason; see ``ApplicationLaunchFailure/description``.
    case other
  }

  init(_ object: ErrorObject) {
    description = object.description
    switch object.knownCode {
    case .applicationNotFound:
      (error, detail) = (.applicationNotFound, .applicationNotFound)
    case .authenticationFailed:
      error = .authenticationFailed
      detail =
        switch object.authenticationFailure {
        case .cancelled?: .cancelled
        case .timedOut?: .timedOut
        case .tooManyAttempts?: .tooManyAttempts
        case .unavailable?: .authenticationUnavailable
        case .failed?, nil: .authenticationFailed
        }
    case .interactionRequired: (error, detail) = (.unknown, .interactionRequired)
    case .busy: (error, detail) = (.unknown, .busy)
    case .notInSession: (error, detail) = (.unknown, .sessionEnded)
    default: (error, detail) = (.unknown, .other)
    }
  }

  /// The failure of a session that ended before the host replied.
  static let sessionEnded = ApplicationLaunchFailure(
    error: .unknown,
    detail: .sessionEnded,
    description: LockedCameraCaptureError.sessionEnded.description
  )

  private init(
    error: LockedCameraCaptureSession.ApplicationLaunchError,
    detail: Detail,
    description: String
  ) {
    self.error = error
    self.detail = detail
    self.description = description
  }
}
