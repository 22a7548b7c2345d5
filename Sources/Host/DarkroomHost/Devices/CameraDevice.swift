// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource

/// A camera of the machine.
public struct CameraDevice: Sendable, Hashable {
  /// The camera for ``LaunchOptions/camera``.
  public let selection: CameraSelection
  /// The identity of the camera, or the reason why it cannot be used.
  public let status: Status

  /// Whether a camera can be used.
  public enum Status: Sendable, Hashable {
    /// The camera has reported its identity. Another program may use it.
    case available(Identity)
    /// This user may not open the camera, or the camera has failed. The text contains the fix.
    case unavailable(String)
  }

  /// The identity that a camera reports.
  public struct Identity: Sendable, Hashable {
    /// The name for users, such as `Integrated Camera`.
    public let name: String
    /// The driver, such as `uvcvideo`.
    public let driver: String
    /// The address of the bus, such as `usb-0000:00:14.0-4`. A camera that is listed for Video4Linux and for
    /// PipeWire has the same address.
    public let bus: String
    /// The name for ``AppPermissionSettings/Decision/devices(_:)``. It stays the same if the path changes.
    public let deviceName: String
  }

  /// Creates a description of a listed camera.
  init(_ camera: ListedCamera) {
    selection = CameraSelection(camera.path)
    switch camera.identity {
    case .success(let found):
      status = .available(
        Identity(name: found.name, driver: found.driver, bus: found.bus, deviceName: found.uniqueID)
      )
    case .failure(let fault): status = .unavailable("\(fault)")
    }
  }
}
