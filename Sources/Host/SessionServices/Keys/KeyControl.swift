// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import KeyInput

/// The commands from the keys of input devices, in addition to the main control of a session.
///
/// The process grabs the devices while the extension receives presses, so that a volume key does not change
/// the volume. The kernel releases the devices if the host dies.
package final class KeyControl: SessionControl {
  private let devices: KeyInputService
  private let note: (String) -> Void
  private var presses = KeyPresses()

  /// Creates a control that reads these devices. `note` receives messages for the user.
  package init(_ devices: KeyInputService, note: @escaping (String) -> Void) {
    self.devices = devices
    self.note = note
    reportNotes()
  }

  /// The keys with which the device reader must be created.
  package static var inputCodes: Set<InputCode> { Set(KeyFunction.functions.keys) }

  package var descriptor: Int32? { devices.descriptor }
  package var nextDeadline: UInt64? { nil }
  package func begin(at now: UInt64) {}

  package func commands(at now: UInt64) -> [SessionCommand] {
    defer { reportNotes() }
    return devices.events().flatMap { event in
      // The desktop handles the power key of a device that is not grabbed.
      if case .down(let place, _) = event, place.code == .power, !devices.isGrabbed(place.device) {
        return [SessionCommand]()
      }
      return presses.commands(for: event)
    }
  }

  package func setReceivingPresses(_ isHeard: Bool) {
    presses.listen(isHeard)
    devices.setExclusive(isHeard)
    reportNotes()
  }

  private func reportNotes() { for text in devices.takeNotices() { note(text) } }
}
