// SPDX-License-Identifier: Apache-2.0

/// The type of media that a device captures; Apple's names.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// Apple's four-character code.
  public let rawValue: String

  /// Creates a type from its code.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Photos and videos: the camera.
  public static let video = AVMediaType(rawValue: "vide")
  /// Sound: the microphone.
  public static let audio = AVMediaType(rawValue: "soun")
}

/// The permission of an app for a capture device; Apple's cases and raw values.
public enum AVAuthorizationStatus: Int, Sendable {
  /// The user has not decided yet.
  ///
  /// An extension cannot prompt the user, so for it this means no access.
  case notDetermined = 0
  /// Access cannot be granted on this machine.
  case restricted = 1
  /// The user has denied access.
  case denied = 2
  /// Access is permitted.
  case authorized = 3

  init(_ status: PermissionStatus) {
    self =
      switch status {
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      // Only the photo library has limited access; for devices, limited access means no access.
      case .denied, .limited: .denied
      case .authorized: .authorized
      }
  }
}

/// A capture device of a session, and the permissions for capture devices; Apple's class.
///
/// The host owns the devices. The module `AVFoundation` has the rest of the class: the devices of a session,
/// their formats and their settings.
public final class AVCaptureDevice: Sendable {
  /// The identifier of the device; it is the same in every session.
  public let uniqueID: String
  /// The name of the device for the user.
  public let localizedName: String
  /// The type of media that the device captures.
  package let mediaType: AVMediaType
  /// The state that belongs to the module `AVFoundation`.
  package let attachment = Attachment()

  /// Creates a device.
  package init(_ mediaType: AVMediaType, uniqueID: String, localizedName: String) {
    self.mediaType = mediaType
    self.uniqueID = uniqueID
    self.localizedName = localizedName
  }

  /// Returns the current permission for a media type, without prompting the user.
  ///
  /// An extension has the permissions of its app. In an app, the result is the user's decision with `darkroom
  /// permission`. In any other process, and for media types without a device, the result is
  /// ``AVAuthorizationStatus/notDetermined``.
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    guard let permissions = CurrentSession.permissions else {
      guard let subject = [AVMediaType.video: "camera", .audio: "microphone"][mediaType],
        let stored = StoredPermissions()
      else { return .notDetermined }
      return AVAuthorizationStatus(stored[subject])
    }
    switch mediaType {
    case .video: return AVAuthorizationStatus(permissions.camera)
    case .audio: return AVAuthorizationStatus(permissions.microphone)
    default: return .notDetermined
    }
  }

  /// Returns whether access is currently permitted, without prompting the user.
  ///
  /// Neither an extension nor its app can prompt the user, who decides with `darkroom permission`.
  public static func requestAccess(for mediaType: AVMediaType) async -> Bool {
    authorizationStatus(for: mediaType) == .authorized
  }
}

extension AVCaptureDevice: Hashable {
  /// Returns whether both devices are the same object.
  public static func == (one: AVCaptureDevice, other: AVCaptureDevice) -> Bool { one === other }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
