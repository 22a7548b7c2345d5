// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import ExtensionProtocol
package import KeyInput

/// Keys of input devices as what a person does to a session.
///
/// A button that several keys stand for belongs to the one that was pressed first, until that is let go: the extension hears
/// one beginning and one end.
package struct KeyPresses: Sendable {
  /// The keys that hold a button down which the extension has heard of.
  private var holders: [CaptureButton: KeyPlace] = [:]
  private var isHeard = false

  /// Nothing is pressed, and nobody listens.
  package init() {}

  /// Whether the extension hears presses. What was begun before is over, however the keys stand.
  package mutating func listen(_ isHeard: Bool) {
    self.isHeard = isHeard
    if !isHeard { holders = [:] }
  }

  /// What an event of a key means.
  package mutating func commands(for event: KeyDeskEvent) -> [SessionCommand] {
    switch event {
    case .down(let place, _): pressed(place)
    case .up(let place, _): released(place, .ended)
    case .lost(let place): released(place, .cancelled)
    case .repeated(let place): turned(place)
    }
  }

  private mutating func pressed(_ place: KeyPlace) -> [SessionCommand] {
    switch KeyMeaning.meanings[place.code] {
    case .button(let button, let source):
      guard holders[button] == nil else { return [] }
      // The press that nobody hears is told all the same, because the session says why; its end means nothing.
      if isHeard { holders[button] = place }
      return [.capture(CaptureEvent(button, .began, from: source))]
    case .lightPress: return [.cameraControl(.show(.active))]
    case .turn: return turned(place)
    case .power: return [.power]
    case nil: return []
    }
  }

  private mutating func released(_ place: KeyPlace, _ phase: CapturePhase) -> [SessionCommand] {
    switch KeyMeaning.meanings[place.code] {
    case .button(let button, let source):
      guard holders[button] == place else { return [] }
      holders[button] = nil
      return [.capture(CaptureEvent(button, phase, from: source))]
    case .lightPress: return [.cameraControl(.show(.inactive))]
    case .turn, .power, nil: return []
    }
  }

  /// A zoom key that is held goes on turning; what else repeats is one press.
  private func turned(_ place: KeyPlace) -> [SessionCommand] {
    guard case .turn(let steps)? = KeyMeaning.meanings[place.code] else { return [] }
    return [.cameraControl(.turn(nil, steps: steps))]
  }
}
