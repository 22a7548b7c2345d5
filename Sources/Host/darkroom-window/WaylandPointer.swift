// SPDX-License-Identifier: Apache-2.0

/// The pointer and the touch screen of a seat, which report presses on surfaces.
final class WaylandPointer {
  /// A position that was pressed.
  struct Press {
    /// The ID of the surface.
    var surface: UInt32
    /// The distance from the left edge, in pixels.
    var column: Int
    /// The distance from the upper edge, in pixels.
    var row: Int
  }

  /// The maximum number of pending presses. Further ones are discarded.
  private static let mostPresses = 16
  /// The unit of `wl_fixed`: 256 per pixel.
  private static let unit = 256

  private let connection: WaylandConnection
  private let seat: UInt32
  private var pointer: UInt32?
  private var touch: UInt32?
  /// The position of the pointer, or `nil` if it is not on a surface of this program.
  private var place: Press?
  private var presses: [Press] = []

  /// Creates the pointer of a seat. The compositor reports the capabilities of the seat later.
  init(_ connection: WaylandConnection, seat: UInt32) { (self.connection, self.seat) = (connection, seat) }

  /// Returns the presses since the last call.
  func takePresses() -> [Press] {
    defer { presses = [] }
    return presses
  }

  /// Handles an event of the seat.
  func takeSeat(_ event: inout WaylandEvent) throws(WaylandFault) {
    guard event.number == SeatEvent.capabilities else { return }
    let abilities = try event.uint()
    follow(abilities & SeatEvent.hasPointer != 0, &pointer, .pointer, SeatRequest.getPointer)
    follow(abilities & SeatEvent.hasTouch != 0, &touch, .touch, SeatRequest.getTouch)
    if pointer == nil { place = nil }
  }

  private func follow(
    _ isThere: Bool,
    _ device: inout UInt32?,
    _ object: WaylandConnection.Object,
    _ request: UInt16
  ) {
    if isThere, device == nil {
      let made = connection.make(object)
      connection.send(WaylandRequest(seat, request).with(made))
      device = made
    } else if !isThere, let old = device {
      connection.silence(old)
      device = nil
    }
  }

  /// Handles an event of the pointer.
  func takePointer(_ event: inout WaylandEvent) throws(WaylandFault) {
    switch event.number {
    case PointerEvent.enter:
      _ = try event.uint()
      let surface = try event.uint()
      place = try Self.press(on: surface, &event)
    case PointerEvent.leave: place = nil
    case PointerEvent.motion:
      _ = try event.uint()
      guard let surface = place?.surface else { return }
      place = try Self.press(on: surface, &event)
    case PointerEvent.button:
      _ = (try event.uint(), try event.uint(), try event.uint())
      guard try event.uint() == PointerEvent.isPressed, let place else { return }
      add(place)
    default: break
    }
  }

  /// Handles an event of the touch screen.
  func takeTouch(_ event: inout WaylandEvent) throws(WaylandFault) {
    guard event.number == TouchEvent.down else { return }
    _ = (try event.uint(), try event.uint())
    let surface = try event.uint()
    _ = try event.int()
    add(try Self.press(on: surface, &event))
  }

  private static func press(on surface: UInt32, _ event: inout WaylandEvent) throws(WaylandFault) -> Press {
    let (column, row) = (try event.int() / unit, try event.int() / unit)
    return Press(surface: surface, column: column, row: row)
  }

  private func add(_ press: Press) {
    if presses.count < Self.mostPresses { presses.append(press) }
  }
}
