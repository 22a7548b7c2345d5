// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
package import SessionStore

/// Restores the settings of a camera after the host of a session was killed.
package enum CameraRestoration {
  /// Restores the settings. Returns the reason if that failed, otherwise `nil`.
  ///
  /// Nothing is restored if the camera was removed or replaced.
  package static func restore(_ camera: CameraSettingsBackup.Camera) -> String? {
    do throws(CameraFault) {
      let (device, identity) = try CameraOpener.openCamera(camera.path)
      guard identity.uniqueID == camera.device else { return nil }
      // Safe because the device was opened here and is not shared.
      nonisolated(unsafe) let given: any ControllableDevice = device
      return restore(camera, DeviceSettings(given))
    } catch .noSuchDevice { return nil } catch .pipeWire(.noSuchNode) { return nil } catch {
      return "\(error)"
    }
  }

  private static func restore(_ camera: CameraSettingsBackup.Camera, _ settings: DeviceSettings) -> String? {
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
