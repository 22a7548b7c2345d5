// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import LockedCameraCapture

/// A source of media for a capture session.
///
/// `@unchecked Sendable`, because a class with subclasses cannot be checked: all properties are constants.
public class AVCaptureInput: @unchecked Sendable {
  /// The streams of the input.
  public let ports: [Port]

  init(_ mediaType: AVMediaType, _ format: AVCaptureDevice.Format) {
    ports = [Port(mediaType, format.formatDescription)]
  }

  /// The type of media that the input provides.
  var mediaType: AVMediaType { ports[0].mediaType }

  /// A stream of an input.
  public final class Port: Sendable {
    /// The type of media.
    public let mediaType: AVMediaType
    /// The format of the samples.
    public let formatDescription: CMFormatDescription?

    init(_ mediaType: AVMediaType, _ formatDescription: CMFormatDescription) {
      (self.mediaType, self.formatDescription) = (mediaType, formatDescription)
    }
  }
}

/// A device as the source of media for a capture session.
public final class AVCaptureDeviceInput: AVCaptureInput, @unchecked Sendable {
  /// The device.
  public let device: AVCaptureDevice

  /// Creates an input for a device.
  ///
  /// - Parameter device: The device.
  /// - Throws: ``AVError``: `applicationIsNotAuthorizedToUseDevice` if the app has no permission for the device;
  ///   `deviceWasDisconnected` if the device was removed.
  public init(device: AVCaptureDevice) throws {
    guard AVCaptureDevice.authorizationStatus(for: device.mediaType) == .authorized else {
      throw AVError(.applicationIsNotAuthorizedToUseDevice)
    }
    guard device.isConnected else { throw AVError(.deviceWasDisconnected) }
    self.device = device
    super.init(device.mediaType, device.state.format)
  }
}

extension AVCaptureInput: Hashable {
  /// Returns whether both inputs are the same object.
  public static func == (one: AVCaptureInput, other: AVCaptureInput) -> Bool { one === other }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
