// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// An error reported by the host, or a failure to store data.
public struct LockedCameraCaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public let code: Code
  /// The error message.
  public let description: String

  /// The kinds of errors; later versions may add more.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// The session has no camera, or the camera has failed.
    public static let cameraUnavailable = Code(name: "cameraUnavailable")
    /// The session has no microphone, or the microphone has failed.
    public static let microphoneUnavailable = Code(name: "microphoneUnavailable")
    /// The camera rejected the setting, or failed to apply it.
    public static let invalidSetting = Code(name: "invalidSetting")
    /// The app or the user has not granted permission.
    public static let permissionDenied = Code(name: "permissionDenied")
    /// The app context cannot be encoded as JSON that the host accepts.
    public static let invalidContext = Code(name: "invalidContext")
    /// A file name is invalid, or leads outside the directory in which it is resolved.
    public static let invalidName = Code(name: "invalidName")
    /// Another process or task is already the consumer with this name.
    public static let consumerBusy = Code(name: "consumerBusy")
    /// A file could not be written.
    public static let notWritten = Code(name: "notWritten")
    /// The session has ended; it sends no more requests or notifications.
    public static let sessionEnded = Code(name: "sessionEnded")
    /// The request was refused for another reason.
    public static let refused = Code(name: "refused")
  }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// The error for a request after the end of the session.
  static let sessionEnded = LockedCameraCaptureError(
    .sessionEnded,
    "the session has ended; finish work that needs the session in onDismissal or withExpiringActivity"
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

/// The error for an app context that exceeds the limit of the host; the stored context is unchanged.
public struct AppContextTooLarge: Error, Hashable, Sendable, CustomStringConvertible {
  /// The size of the rejected context, in bytes of compact JSON.
  public let bytes: Int
  /// The maximum size, in bytes of compact JSON.
  public let limit: Int

  /// The error message.
  public var description: String {
    "the app context has \(bytes) bytes of JSON, more than the limit of \(limit); store less (the previous context is kept)"
  }
}
