// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import ViewfinderLink

/// The keyboard of a seat, as long as the compositor has one there: what is typed into the window.
final class WaylandKeyboard {
  /// What has become of a key.
  enum Stroke {
    /// It is down, and types this.
    case pressed(UInt32, String)
    /// It is up.
    case released(UInt32)
    /// What is down is somebody else's from now on.
    case left
  }

  /// The number of a camera's key (evdev(4), `KEY_CAMERA`), whatever number it has on this keyboard.
  private static let camera: UInt32 = 212
  /// The most strokes that wait; what is more is forgotten.
  private static let mostStrokes = 64

  private let connection: WaylandConnection
  private let seat: UInt32
  /// The `wl_keyboard`; nil: the seat has none.
  private var keyboard: UInt32?
  private var layout: KeyboardLayout?
  private var strokes: [Stroke] = []

  /// That of a seat, about which the compositor will say what it has.
  init(_ connection: WaylandConnection, seat: UInt32) { (self.connection, self.seat) = (connection, seat) }

  /// What was typed since the last time.
  func takeStrokes() -> [Stroke] {
    defer { strokes = [] }
    return strokes
  }

  /// Takes an event of the seat.
  func takeSeat(_ event: inout WaylandEvent) throws(WaylandFault) {
    guard event.number == SeatEvent.capabilities else { return }
    let hasKeyboard = try event.uint() & SeatEvent.hasKeyboard != 0
    if hasKeyboard, keyboard == nil {
      let made = connection.make(.keyboard)
      connection.send(WaylandRequest(seat, SeatRequest.getKeyboard).with(made))
      keyboard = made
    } else if !hasKeyboard, let old = keyboard {
      connection.silence(old)
      (keyboard, layout) = (nil, nil)
      add(.left)
    }
  }

  /// Takes an event of the keyboard.
  func take(_ event: inout WaylandEvent) throws(WaylandFault) {
    switch event.number {
    case KeyboardEvent.keymap:
      let format = try event.uint()
      let file = connection.takeDescriptor()
      guard format == KeyboardLayout.format, let file else { return }
      layout = KeyboardLayout(file.descriptor, bytes: Int(try event.uint()))
    case KeyboardEvent.leave: add(.left)
    case KeyboardEvent.key:
      _ = (try event.uint(), try event.uint())
      let (number, state) = (try event.uint(), try event.uint())
      let key = layout?.isCamera(number) == true ? Self.camera : number
      add(state == KeyboardEvent.isPressed ? .pressed(key, layout?.text(of: key) ?? "") : .released(key))
    case KeyboardEvent.modifiers:
      _ = try event.uint()
      layout?.setModifiers(
        held: try event.uint(),
        latched: try event.uint(),
        locked: try event.uint(),
        group: try event.uint()
      )
    default: break
    }
  }

  private func add(_ stroke: Stroke) {
    if strokes.count < Self.mostStrokes { strokes.append(stroke) }
  }
}

extension HostLink {
  /// Passes on what was typed.
  func pass(_ strokes: [WaylandKeyboard.Stroke]) {
    for stroke in strokes {
      switch stroke {
      case .pressed(let key, let text): pressed(key, text)
      case .released(let key): released(key)
      case .left: leftKeys()
      }
    }
  }
}
