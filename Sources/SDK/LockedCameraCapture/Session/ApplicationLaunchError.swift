// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Why the app was not opened; Apple's cases and codes.
  ///
  /// More than Apple's says ``LockedCameraCaptureSession/applicationLaunchFailure``. Foundation for Linux reads the
  /// texts of an error only from its own protocols, which the part of it that this library uses lacks; so where all of
  /// Foundation is imported, take ``errorDescription`` and ``failureReason`` from the value.
  public enum ApplicationLaunchError: Int, Error, Equatable, Hashable, Sendable, CustomStringConvertible {
    /// For any reason but those below.
    case unknown = 0
    /// The app is not there, or has no command with which it is opened.
    case applicationNotFound = 1
    /// The machine is locked, and the person has not proved who they are.
    case authenticationFailed = 2

    /// What the codes belong to.
    public static var errorDomain: String { "LockedCameraCapture.ApplicationLaunchError" }

    /// The same for Foundation, where somebody makes an `NSError` of it.
    public var _domain: String { Self.errorDomain }

    /// 0, 1 or 2, in the order of the cases.
    public var errorCode: Int { rawValue }

    /// Nothing more than the texts.
    public var errorUserInfo: [String: Any] {
      ["NSLocalizedDescription": description, "NSLocalizedFailureReason": reason]
    }

    /// What has failed and why, in a sentence.
    public var errorDescription: String? { description }

    /// Why, in a sentence that can be shown to the person.
    public var failureReason: String? { reason }

    /// What has failed and why, in a sentence.
    public var description: String { "The app was not opened. \(reason)" }

    private var reason: String {
      switch self {
      case .unknown: "The system could not open it."
      case .applicationNotFound: "It is not installed, or cannot be opened."
      case .authenticationFailed: "The machine is locked and was not unlocked."
      }
    }
  }
}

/// Why an app was not opened, in as much detail as the host gives.
public struct ApplicationLaunchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error that was thrown.
  public let error: LockedCameraCaptureSession.ApplicationLaunchError
  /// Which case of it.
  public let detail: Detail
  /// The host's sentence.
  public let description: String

  /// What exactly went wrong.
  public enum Detail: Sendable, Hashable {
    /// The app is not there, or has no command with which it is opened.
    case applicationNotFound
    /// What the person gave is not theirs.
    case authenticationFailed
    /// The person did not want to authenticate.
    case cancelled
    /// The person took too long.
    case timedOut
    /// It was tried too often; later again.
    case tooManyAttempts
    /// This machine has no way to ask who the person is.
    case authenticationUnavailable
    /// The person has to press or choose something first: an extension does not leave on its own.
    case interactionRequired
    /// The app is being opened already.
    case busy
    /// The session is over, or ends already.
    case sessionEnded
    /// Something else; ``ApplicationLaunchFailure/description`` says what.
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

  /// The session has ended before the host has answered.
  static let sessionEnded = ApplicationLaunchFailure(
    error: .unknown,
    detail: .sessionEnded,
    description: LockedCameraCaptureError.over.description
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
