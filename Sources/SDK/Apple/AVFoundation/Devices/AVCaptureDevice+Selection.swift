// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture
internal import Synchronization

extension AVCaptureDevice {
  /// The position of a camera.
  public enum Position: Int, Sendable {
    /// The position is unknown, which is the position of every camera here.
    case unspecified = 0
    /// The camera faces away from the user.
    case back = 1
    /// The camera faces the user.
    case front = 2
  }

  /// The type of a device.
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the type.
    public let rawValue: String

    /// Creates a type from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A camera with one lens, which is the type of every camera here.
    public static let builtInWideAngleCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInWideAngleCamera"
    )
    /// A camera with a wider angle; there is none here.
    public static let builtInUltraWideCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInUltraWideCamera"
    )
    /// A camera with a longer focal length; there is none here.
    public static let builtInTelephotoCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInTelephotoCamera"
    )
    /// A camera with two lenses; there is none here.
    public static let builtInDualCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualCamera")
    /// A camera with a wide-angle and an ultrawide lens; there is none here.
    public static let builtInDualWideCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInDualWideCamera")
    /// A camera with three lenses; there is none here.
    public static let builtInTripleCamera = DeviceType(rawValue: "AVCaptureDeviceTypeBuiltInTripleCamera")
    /// A camera that measures depth; there is none here.
    public static let builtInTrueDepthCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInTrueDepthCamera"
    )
    /// A camera that measures depth with light; there is none here.
    public static let builtInLiDARDepthCamera = DeviceType(
      rawValue: "AVCaptureDeviceTypeBuiltInLiDARDepthCamera"
    )
    /// An external camera; every camera here is found under this type, too.
    public static let external = DeviceType(rawValue: "AVCaptureDeviceTypeExternal")
    /// A microphone.
    public static let microphone = DeviceType(rawValue: "AVCaptureDeviceTypeMicrophone")
  }

  /// The type of the device.
  public var deviceType: DeviceType { mediaType == .video ? .builtInWideAngleCamera : .microphone }

  /// The position of the device, always ``Position/unspecified``: the host does not know it.
  public var position: Position { .unspecified }

  /// Whether the device was not removed since the launch.
  public var isConnected: Bool { state.isConnected }

  /// Returns whether the device captures a type of media.
  public func hasMediaType(_ mediaType: AVMediaType) -> Bool { self.mediaType == mediaType }

  /// Returns the device of the session for a type of media, or `nil` if there is none.
  ///
  /// The host selects the devices of a session. Outside a session, there are none.
  public static func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
    SessionDeviceList.current.first { $0.mediaType == mediaType }
  }

  /// Returns the device of the session with a type, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - deviceType: The type. A camera is found as ``DeviceType/builtInWideAngleCamera`` and as
  ///     ``DeviceType/external``.
  ///   - mediaType: The type of media, or `nil` for any.
  ///   - position: Any position finds the camera, because its position is unknown.
  /// - Returns: The device.
  public static func `default`(
    _ deviceType: DeviceType,
    for mediaType: AVMediaType?,
    position: Position
  ) -> AVCaptureDevice? {
    DiscoverySession(deviceTypes: [deviceType], mediaType: mediaType, position: position).devices.first
  }

  /// The camera of the session, or `nil` if there is none.
  public static var systemPreferredCamera: AVCaptureDevice? { `default`(for: .video) }

  /// Creates the device of the session with an identifier, or returns `nil` if there is none.
  public static func device(withUniqueID deviceUniqueID: String) -> AVCaptureDevice? {
    SessionDeviceList.current.first { $0.uniqueID == deviceUniqueID }
  }

  /// A query for devices.
  public final class DiscoverySession: Sendable {
    /// The devices that match, in the order of the types.
    public let devices: [AVCaptureDevice]

    /// Finds the devices of the session.
    ///
    /// - Parameters:
    ///   - deviceTypes: The types. A camera is found as ``DeviceType/builtInWideAngleCamera`` and as
    ///     ``DeviceType/external``.
    ///   - mediaType: The type of media, or `nil` for any.
    ///   - position: Any position finds the camera, because its position is unknown.
    public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
      let all = SessionDeviceList.current
      devices = all.filter { device in
        let types: [DeviceType] =
          device.mediaType == .video ? [device.deviceType, .external] : [device.deviceType]
        return (mediaType == nil || mediaType == device.mediaType)
          && !Set(types).isDisjoint(with: deviceTypes)
      }
    }
  }
}

/// The devices of the session of this process.
enum SessionDeviceList {
  /// The devices, and the session to which they belong.
  private struct Entry {
    weak var session: LockedCameraCaptureSession?
    var devices: [AVCaptureDevice] = []
  }

  /// One object for each device of the process, as in Apple's API.
  private static let entry = Mutex(Entry())

  /// The devices of the current session; empty outside a session.
  static var current: [AVCaptureDevice] {
    guard let session = CurrentSession.session else { return [] }
    return entry.withLock { entry in
      if entry.session !== session { entry = Entry(session: session, devices: devices(of: session)) }
      return entry.devices
    }
  }

  private static func devices(of session: LockedCameraCaptureSession) -> [AVCaptureDevice] {
    var devices: [AVCaptureDevice] = []
    if let camera = session.devices.camera {
      let device = AVCaptureDevice(.video, uniqueID: "camera", localizedName: camera.name)
      _ = device.attachment.object(DeviceState.self) { DeviceState(.video, AVCaptureDevice.Format(camera)) }
      devices.append(device)
    }
    if let microphone = session.devices.microphone {
      let device = AVCaptureDevice(.audio, uniqueID: "microphone", localizedName: "Microphone")
      _ = device.attachment.object(DeviceState.self) {
        DeviceState(.audio, AVCaptureDevice.Format(microphone))
      }
      devices.append(device)
    }
    return devices
  }
}
