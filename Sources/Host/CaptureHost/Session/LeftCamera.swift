// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
package import SessionStore

/// A camera that is still set as the extension of a session has set it whose host was killed.
package enum LeftCamera {
  /// Sets it back; gives why it could not be. A camera that is gone, or is another one, has nothing to be set back.
  package static func setBack(_ camera: CameraNotes.Left) -> String? {
    do throws(CameraFault) {
      let (device, identity) = try CameraOpener.openCamera(camera.path)
      guard identity.device == camera.device else { return nil }
      // The device was opened here.
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
