// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What the host has refused, or what could not be stored.
public struct LockedCameraCaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of error it is.
  public let code: Code
  /// A sentence.
  public let description: String

  /// The kinds of error; more may come.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// The session has no camera, or it has failed.
    public static let cameraUnavailable = Code(name: "cameraUnavailable")
    /// The session has no microphone, or it has failed.
    public static let microphoneUnavailable = Code(name: "microphoneUnavailable")
    /// The camera cannot be set like that, or has failed at it.
    public static let invalidSetting = Code(name: "invalidSetting")
    /// The app or the person has not allowed it.
    public static let permissionDenied = Code(name: "permissionDenied")
    /// An app context cannot be written as JSON that the host takes.
    public static let invalidContext = Code(name: "invalidContext")
    /// A file name leads out of the session content directory.
    public static let invalidName = Code(name: "invalidName")
    /// Another process is the consumer of this name.
    public static let consumerBusy = Code(name: "consumerBusy")
    /// A file could not be written.
    public static let notWritten = Code(name: "notWritten")
    /// The session has ended; nothing can be asked or told any more.
    public static let sessionEnded = Code(name: "sessionEnded")
    /// The host has refused for another reason.
    public static let refused = Code(name: "refused")
  }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Nothing can be asked any more.
  static let over = LockedCameraCaptureError(
    .sessionEnded,
    "the session has ended; finish in onDismissal or withExpiringActivity what needs it"
  )

  init(_ error: ErrorObject) {
    description = error.description
    code =
      switch error.knownCode {
      case .cameraUnavailable: .cameraUnavailable
      case .microphoneUnavailable: .microphoneUnavailable
      case .invalidSetting: .invalidSetting
      case .permissionDenied: .permissionDenied
      default: .refused
      }
  }
}

/// An app context is larger than the host stores; the one that was stored before is unchanged.
public struct AppContextTooLarge: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its size as compact JSON.
  public let bytes: Int
  /// The size that is allowed.
  public let limit: Int

  /// A sentence.
  public var description: String {
    "the app context has \(bytes) bytes as JSON and may have \(limit); store less, the old one is kept"
  }
}
