// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
package import SessionStore

/// Restores the settings of a camera after the host of a session was killed.
package enum LeftCamera {
  /// Restores the settings. Returns the reason if that failed, otherwise `nil`.
  ///
  /// Nothing is restored if the camera was removed or replaced.
  package static func setBack(_ camera: CameraNotes.Left) -> String? {
    do throws(CameraFault) {
      let (device, identity) = try CameraOpener.openCamera(camera.path)
      guard identity.device == camera.device else { return nil }
      // Safe because the device was opened here and is not shared.
      nonisolated(unsafe) let given: any AdjustableDevice = device
      return setBack(camera, DeviceSettings(given))
    } catch .noSuchDevice { return nil } catch .pipeWire(.noSuchNode) { return nil } catch {
      return "\(error)"
    }
  }

  private static func setBack(_ camera: CameraNotes.Left, _ settings: DeviceSettings) -> String? {
    var reason: String?
    for before in camera.values.reversed() {
      guard let name = CameraSettingName(rawValue: before.name) else { continue }
      do throws(SystemCallError) { try settings.restore(name, to: before.value) } catch {
        reason = "\(before.name): \(error)"
      }
    }
    return reason
  }
}
