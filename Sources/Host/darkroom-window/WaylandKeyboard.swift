// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The keyboard of a seat, with the keys that are typed into the window.
final class WaylandKeyboard {
  /// The number of the camera key (evdev(4), `KEY_CAMERA`), which is reported whatever its key code is on
  /// this keyboard.
  private static let camera: UInt32 = 212

  private let connection: WaylandConnection
  private let seat: UInt32
  /// The ID of the `wl_keyboard`, or `nil` if the seat has none.
  private var keyboard: UInt32?
  private var layout: KeyboardLayout?
  private let keyEvents = KeyEventQueue()

  /// Creates the keyboard of a seat. The compositor reports the capabilities of the seat later.
  init(_ connection: WaylandConnection, seat: UInt32) { (self.connection, self.seat) = (connection, seat) }

  /// Calls `body` for each key event since the last call.
  func takeKeyEvents(_ body: (KeyEventQueue.KeyEvent) -> Void) { keyEvents.take(body) }

  /// Handles an event of the seat.
  func takeSeat(_ event: inout WaylandEvent) throws(WaylandError) {
    guard event.number == SeatEvent.capabilities else { return }
    let hasKeyboard = try event.uint() & SeatEvent.hasKeyboard != 0
    if hasKeyboard, keyboard == nil {
      let made = connection.make(.keyboard)
      connection.send(WaylandRequest(seat, SeatRequest.getKeyboard).with(made))
      keyboard = made
    } else if !hasKeyboard, let old = keyboard {
      connection.ignoreEvents(old)
      (keyboard, layout) = (nil, nil)
      keyEvents.addFocusLost()
    }
  }

  /// Handles an event of the keyboard.
  func take(_ event: inout WaylandEvent) throws(WaylandError) {
    switch event.number {
    case KeyboardEvent.keymap:
      let format = try event.uint()
      let file = connection.takeDescriptor()
      guard format == KeyboardLayout.format, let file else { return }
      layout = KeyboardLayout(file.descriptor, bytes: Int(try event.uint()))
    case KeyboardEvent.leave: keyEvents.addFocusLost()
    case KeyboardEvent.key:
      _ = (try event.uint(), try event.uint())
      let (number, state) = (try event.uint(), try event.uint())
      let key = layout?.isCamera(number) == true ? Self.camera : number
      guard state == KeyboardEvent.isPressed else { return keyEvents.addReleased(key) }
      keyEvents.addPressed(key) { room in layout?.text(of: key, in: room) ?? 0 }
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
