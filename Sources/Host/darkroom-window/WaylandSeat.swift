// SPDX-License-Identifier: Apache-2.0

/// The keyboard, the pointer and the touch screen of a compositor's seat.
final class WaylandSeat {
  /// The keyboard.
  let keyboard: WaylandKeyboard
  /// The pointer and the touch screen.
  let pointer: WaylandPointer

  /// Binds the seat of a compositor, or returns `nil` if the compositor has none.
  init?(_ connection: WaylandConnection, _ globals: WaylandGlobals) throws(WaylandError) {
    guard globals.has("wl_seat") else { return nil }
    let seat = try globals.bind("wl_seat", .seat)
    keyboard = WaylandKeyboard(connection, seat: seat)
    pointer = WaylandPointer(connection, seat: seat)
  }

  /// Handles an event of the seat or of one of its devices.
  func take(_ object: WaylandConnection.Object, _ event: inout WaylandEvent) throws(WaylandError) {
    switch object {
    case .seat:
      var same = event
      try keyboard.takeSeat(&event)
      try pointer.takeSeat(&same)
    case .keyboard:
      if event.number == KeyboardEvent.leave { pointer.cancelContacts() }
      try keyboard.take(&event)
    case .pointer: try pointer.takePointer(&event)
    case .touch: try pointer.takeTouch(&event)
    default: break
    }
  }
}
