// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The keyboard of a seat, as long as the compositor has one there: what is typed into the window.
final class WaylandKeyboard {
  /// The number of a camera's key (evdev(4), `KEY_CAMERA`), whatever number it has on this keyboard.
  private static let camera: UInt32 = 212

  private let connection: WaylandConnection
  private let seat: UInt32
  /// The `wl_keyboard`; nil: the seat has none.
  private var keyboard: UInt32?
  private var layout: KeyboardLayout?
  private let strokes = WaylandStrokes()

  /// That of a seat, about which the compositor will say what it has.
  init(_ connection: WaylandConnection, seat: UInt32) { (self.connection, self.seat) = (connection, seat) }

  /// Hands over what was typed since the last time.
  func takeStrokes(_ body: (WaylandStrokes.Stroke) -> Void) { strokes.take(body) }

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
      strokes.addLeft()
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
    case KeyboardEvent.leave: strokes.addLeft()
    case KeyboardEvent.key:
      _ = (try event.uint(), try event.uint())
      let (number, state) = (try event.uint(), try event.uint())
      let key = layout?.isCamera(number) == true ? Self.camera : number
      guard state == KeyboardEvent.isPressed else { return strokes.addReleased(key) }
      strokes.addPressed(key) { room in layout?.text(of: key, in: room) ?? 0 }
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
}
