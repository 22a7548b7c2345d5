// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// An error of the photo library.
public struct PHPhotosError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public let code: Code
  /// The error message.
  public let description: String

  /// The kinds of errors; a subset of Apple's names and raw values.
  public enum Code: Int, Sendable {
    /// No accessible asset has this identifier.
    case identifierNotFound = 3201
    /// The library does not support the change.
    case changeNotSupported = 3300
    /// The session has ended meanwhile.
    case operationInterrupted = 3301
    /// The file is not valid for the library.
    case invalidResource = 3302
    /// A creation request has no resource.
    case missingResource = 3303
    /// There is not enough space.
    case notEnoughSpace = 3305
    /// Access cannot be granted on this machine.
    case accessRestricted = 3310
    /// The user has not granted access.
    case accessUserDenied = 3311
  }

  /// The domain of an `NSError` that Foundation creates from this error; Apple's name.
  public var _domain: String { "PHPhotosErrorDomain" }
  /// The code of an `NSError` that Foundation creates from this error; Apple's number.
  public var _code: Int { code.rawValue }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: ErrorObject) {
    description = error.description
    code =
      switch error.knownCode {
      case .permissionDenied: .accessUserDenied
      case .noSuchAsset: .identifierNotFound
      case .invalidFile: .invalidResource
      case .noSpace: .notEnoughSpace
      case .notInSession: .operationInterrupted
      default: .changeNotSupported
      }
  }

  /// Returns the error that the public API throws for a failed request.
  static func publicError(_ failure: RequestFailure) -> any Error {
    switch failure {
    case .refused(let error): PHPhotosError(error)
    case .cancelled: CancellationError()
    case .sessionEnded: PHPhotosError.sessionEnded
    }
  }

  /// The error for a request after the end of the session.
  static let sessionEnded = PHPhotosError(
    .operationInterrupted,
    LockedCameraCaptureError.sessionEnded.description
  )

  /// The error in a process that is not a capture extension.
  static let noSession = PHPhotosError(
    .changeNotSupported,
    "the photo library is available only in a running capture extension; use 'darkroom photos' in an app"
  )
}

extension PHPhotosError.Code {
  /// Returns whether an error has this code, so that `catch PHPhotosError.accessUserDenied` works as with
  /// Apple's framework.
  public static func ~= (code: Self, error: any Error) -> Bool { (error as? PHPhotosError)?.code == code }
}

extension PHPhotosError {
  /// ``Code/identifierNotFound``, for use in `catch`.
  public static var identifierNotFound: Code { .identifierNotFound }
  /// ``Code/changeNotSupported``, for use in `catch`.
  public static var changeNotSupported: Code { .changeNotSupported }
  /// ``Code/operationInterrupted``, for use in `catch`.
  public static var operationInterrupted: Code { .operationInterrupted }
  /// ``Code/invalidResource``, for use in `catch`.
  public static var invalidResource: Code { .invalidResource }
  /// ``Code/missingResource``, for use in `catch`.
  public static var missingResource: Code { .missingResource }
  /// ``Code/notEnoughSpace``, for use in `catch`.
  public static var notEnoughSpace: Code { .notEnoughSpace }
  /// ``Code/accessRestricted``, for use in `catch`.
  public static var accessRestricted: Code { .accessRestricted }
  /// ``Code/accessUserDenied``, for use in `catch`.
  public static var accessUserDenied: Code { .accessUserDenied }
}
