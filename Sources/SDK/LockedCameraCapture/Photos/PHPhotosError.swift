// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Why something was not done in the photo library.
public struct PHPhotosError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of error it is.
  public let code: Code
  /// A sentence.
  public let description: String

  /// The kinds of errors; Apple's names and numbers, as far as they occur here.
  public enum Code: Int, Sendable {
    /// There is no such asset among those that may be seen.
    case identifierNotFound = 3201
    /// The library cannot do this.
    case changeNotSupported = 3300
    /// The session has ended meanwhile.
    case operationInterrupted = 3301
    /// The file is not one that can be taken.
    case invalidResource = 3302
    /// A creation request has no resource.
    case missingResource = 3303
    /// There is no room for it.
    case notEnoughSpace = 3305
    /// It cannot be allowed on this machine.
    case accessRestricted = 3310
    /// The person has not allowed it.
    case accessUserDenied = 3311
  }

  /// The same for Foundation, where somebody makes an `NSError` of it; Apple's name.
  public var _domain: String { "PHPhotosErrorDomain" }
  /// The same for Foundation; Apple's numbers.
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

  /// The error of a request that was awaited, as authors see it.
  static func published(_ failure: AskFailure) -> any Error {
    switch failure {
    case .refused(let error): PHPhotosError(error)
    case .cancelled: CancellationError()
    case .over: PHPhotosError.over
    }
  }

  /// Nothing can be asked any more.
  static let over = PHPhotosError(.operationInterrupted, LockedCameraCaptureError.over.description)

  /// The process is no capture extension.
  static let noSession = PHPhotosError(
    .changeNotSupported,
    "only a running capture extension reaches the photo library; an app uses \"darkroom photos\""
  )
}

extension PHPhotosError.Code {
  /// Whether an error is of this kind, so that `catch PHPhotosError.accessUserDenied` does what it does with Apple's.
  public static func ~= (code: Self, error: any Error) -> Bool { (error as? PHPhotosError)?.code == code }
}

extension PHPhotosError {
  /// ``Code/identifierNotFound``, where an error is caught by its kind.
  public static var identifierNotFound: Code { .identifierNotFound }
  /// ``Code/changeNotSupported``, where an error is caught by its kind.
  public static var changeNotSupported: Code { .changeNotSupported }
  /// ``Code/operationInterrupted``, where an error is caught by its kind.
  public static var operationInterrupted: Code { .operationInterrupted }
  /// ``Code/invalidResource``, where an error is caught by its kind.
  public static var invalidResource: Code { .invalidResource }
  /// ``Code/missingResource``, where an error is caught by its kind.
  public static var missingResource: Code { .missingResource }
  /// ``Code/notEnoughSpace``, where an error is caught by its kind.
  public static var notEnoughSpace: Code { .notEnoughSpace }
  /// ``Code/accessRestricted``, where an error is caught by its kind.
  public static var accessRestricted: Code { .accessRestricted }
  /// ``Code/accessUserDenied``, where an error is caught by its kind.
  public static var accessUserDenied: Code { .accessUserDenied }
}
