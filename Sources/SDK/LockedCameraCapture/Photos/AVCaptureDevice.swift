// SPDX-License-Identifier: Apache-2.0

/// What a device takes; Apple's names.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// Apple's code.
  public let rawValue: String

  /// Makes a type of a code.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Pictures and films: the camera.
  public static let video = AVMediaType(rawValue: "vide")
  /// Sound: the microphone.
  public static let audio = AVMediaType(rawValue: "soun")
}

/// What the person allows an app to take; Apple's cases and numbers.
public enum AVAuthorizationStatus: Int, Sendable {
  /// Nobody has asked the person yet. An extension cannot ask: for it this is a no.
  case notDetermined = 0
  /// It cannot be allowed on this machine.
  case restricted = 1
  /// The person has said no.
  case denied = 2
  /// Yes.
  case authorized = 3

  init(_ status: PermissionStatus) {
    self =
      switch status {
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      // Only the photo library can be limited; what is not wholly allowed here is not allowed.
      case .denied, .limited: .denied
      case .authorized: .authorized
      }
  }
}

/// The permissions of the devices; the camera itself is the host's, see ``Viewfinder``.
public enum AVCaptureDevice {
  /// What is allowed at the moment; nobody is asked.
  ///
  /// An extension has what its app has. An app is told what the person has decided, with `darkroom permission`. In a
  /// process that is neither, and for media types that no device takes, the answer is
  /// ``AVAuthorizationStatus/notDetermined``.
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    guard let permissions = CurrentSession.permissions else {
      guard let subject = [AVMediaType.video: "camera", .audio: "microphone"][mediaType],
        let decided = DecidedPermissions()
      else { return .notDetermined }
      return AVAuthorizationStatus(decided[subject])
    }
    switch mediaType {
    case .video: return AVAuthorizationStatus(permissions.camera)
    case .audio: return AVAuthorizationStatus(permissions.microphone)
    default: return .notDetermined
    }
  }

  /// Whether it is allowed at the moment. Neither an extension nor its app can ask the person, who decides with
  /// `darkroom permission`.
  public static func requestAccess(for mediaType: AVMediaType) async -> Bool {
    authorizationStatus(for: mediaType) == .authorized
  }
}
