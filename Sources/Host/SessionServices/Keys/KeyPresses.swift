// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import ExtensionProtocol
package import KeyInput

/// Converts key events of input devices to session commands.
///
/// If several keys have the function of one button, the key that was pressed first holds the button until its
/// release. The extension receives one start and one end.
package struct KeyPresses: Sendable {
  /// The key that holds each pressed button.
  private var holders: [CaptureButton: DeviceKey] = [:]
  private var isReceiving = false

  /// Creates a converter without pressed keys.
  package init() {}

  /// Sets whether the extension receives presses. Presses that started before have no further effect,
  /// whatever the state of the keys.
  package mutating func listen(_ isReceiving: Bool) {
    self.isReceiving = isReceiving
    if !isReceiving { holders = [:] }
  }

  /// Returns the commands for a key event.
  package mutating func commands(for event: KeyInputEvent) -> [SessionCommand] {
    switch event {
    case .down(let place, _): pressed(place)
    case .up(let place, _): released(place, .ended)
    case .lost(let place): released(place, .cancelled)
    case .repeated(let place): stepped(place)
    }
  }

  private mutating func pressed(_ place: DeviceKey) -> [SessionCommand] {
    switch KeyFunction.functions[place.code] {
    case .button(let button, let source):
      guard holders[button] == nil else { return [] }
      // The press is returned even if the extension does not receive presses, because the session logs the
      // reason. Its end has no effect.
      if isReceiving { holders[button] = place }
      return [.capture(CaptureEvent(button, .began, from: source))]
    case .lightPress: return [.cameraControl(.show(.active))]
    case .step: return stepped(place)
    case .power: return [.power]
    case nil: return []
    }
  }

  private mutating func released(_ place: DeviceKey, _ phase: CapturePhase) -> [SessionCommand] {
    switch KeyFunction.functions[place.code] {
    case .button(let button, let source):
      guard holders[button] == place else { return [] }
      holders[button] = nil
      return [.capture(CaptureEvent(button, phase, from: source))]
    case .lightPress: return [.cameraControl(.show(.inactive))]
    case .step, .power, nil: return []
    }
  }

  /// A held zoom key repeats its steps. A repetition of another key has no effect.
  private func stepped(_ place: DeviceKey) -> [SessionCommand] {
    guard case .step(let steps)? = KeyFunction.functions[place.code] else { return [] }
    return [.cameraControl(.step(nil, steps: steps))]
  }
}
