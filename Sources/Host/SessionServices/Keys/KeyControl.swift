// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import KeyInput

/// The keys of input devices, beside whatever else plays the person.
///
/// The devices are this process's alone while the extension hears presses, so that a volume key changes no volume, and
/// everybody's at all other times. A host that dies lets them go: the kernel sees to that.
package final class KeyControl: SessionControl {
  private let desk: KeyDesk
  private let note: (String) -> Void
  private var presses = KeyPresses()

  /// Reads these devices; what a person should know of them is told to `note`.
  package init(_ desk: KeyDesk, note: @escaping (String) -> Void) {
    self.desk = desk
    self.note = note
    tellNotes()
  }

  /// The keys that a desk has to be made for.
  package static var wanted: Set<InputCode> { Set(KeyMeaning.meanings.keys) }

  package var descriptor: Int32? { desk.descriptor }
  package var nextMoment: UInt64? { nil }
  package func begin(at now: UInt64) {}

  package func commands(at now: UInt64) -> [SessionCommand] {
    defer { tellNotes() }
    return desk.events().flatMap { event in
      // The system hears the power key of a device that is not taken, and does with it what it always does.
      if case .down(let place, _) = event, place.code == .power, !desk.hasTaken(place.device) {
        return [SessionCommand]()
      }
      return presses.commands(for: event)
    }
  }

  package func listen(_ isHeard: Bool) {
    presses.listen(isHeard)
    desk.setTaken(isHeard)
    tellNotes()
  }

  private func tellNotes() { for text in desk.takeNotes() { note(text) } }
}
