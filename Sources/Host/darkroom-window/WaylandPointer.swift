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
  private static let maximumPresses = 16
  /// The unit of `wl_fixed`: 256 per pixel.
  private static let unit = 256

  private let connection: WaylandConnection
  private let seat: UInt32
  private var pointer: UInt32?
  private var touch: UInt32?
  /// The position of the pointer, or `nil` if it is not on a surface of this program.
  private var position: Press?
  private var presses: [Press] = []

  /// Creates the pointer of a seat. The compositor reports the capabilities of the seat later.
  init(_ connection: WaylandConnection, seat: UInt32) { (self.connection, self.seat) = (connection, seat) }

  /// Returns the presses since the last call.
  func takePresses() -> [Press] {
    defer { presses = [] }
    return presses
  }

  /// Handles an event of the seat.
  func takeSeat(_ event: inout WaylandEvent) throws(WaylandError) {
    guard event.number == SeatEvent.capabilities else { return }
    let capabilities = try event.uint()
    updateDevice(capabilities & SeatEvent.hasPointer != 0, &pointer, .pointer, SeatRequest.getPointer)
    updateDevice(capabilities & SeatEvent.hasTouch != 0, &touch, .touch, SeatRequest.getTouch)
    if pointer == nil { position = nil }
  }

  private func updateDevice(
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
      connection.ignoreEvents(old)
      device = nil
    }
  }

  /// Handles an event of the pointer.
  func takePointer(_ event: inout WaylandEvent) throws(WaylandError) {
    switch event.number {
    case PointerEvent.enter:
      _ = try event.uint()
      let surface = try event.uint()
      position = try Self.press(on: surface, &event)
    case PointerEvent.leave: position = nil
    case PointerEvent.motion:
      _ = try event.uint()
      guard let surface = position?.surface else { return }
      position = try Self.press(on: surface, &event)
    case PointerEvent.button:
      _ = (try event.uint(), try event.uint(), try event.uint())
      guard try event.uint() == PointerEvent.isPressed, let position else { return }
      add(position)
    default: break
    }
  }

  /// Handles an event of the touch screen.
  func takeTouch(_ event: inout WaylandEvent) throws(WaylandError) {
    guard event.number == TouchEvent.down else { return }
    _ = (try event.uint(), try event.uint())
    let surface = try event.uint()
    _ = try event.int()
    add(try Self.press(on: surface, &event))
  }

  private static func press(on surface: UInt32, _ event: inout WaylandEvent) throws(WaylandError) -> Press {
    let (column, row) = (try event.int() / unit, try event.int() / unit)
    return Press(surface: surface, column: column, row: row)
  }

  private func add(_ press: Press) {
    if presses.count < Self.maximumPresses { presses.append(press) }
  }
}
