// SPDX-License-Identifier: Apache-2.0

/// The pointer and the touch screen of a seat, which report presses on surfaces, and contacts with surfaces.
final class WaylandPointer {
  /// The maximum number of pending presses. Further ones are discarded.
  private static let maximumPresses = 16
  /// The unit of `wl_fixed`: 256 per pixel.
  private static let unit = 256.0

  private let connection: WaylandConnection
  private let seat: UInt32
  private var pointer: UInt32?
  private var touch: UInt32?
  /// The position of the pointer, or `nil` if it is not on a surface of this program.
  private var position: SurfacePoint?
  private var presses: [SurfacePoint] = []
  /// The contacts with the surfaces.
  private var contacts = SurfaceContacts()

  /// Creates the pointer of a seat. The compositor reports the capabilities of the seat later.
  init(_ connection: WaylandConnection, seat: UInt32) { (self.connection, self.seat) = (connection, seat) }

  /// Returns the presses since the last call.
  func takePresses() -> [SurfacePoint] {
    defer { presses = [] }
    return presses
  }

  /// Returns the changes of contacts since the last call. Moves of a contact without another change between
  /// them are one move.
  func takeContactChanges() -> [SurfaceContacts.Change] { contacts.takeChanges() }

  /// Cancels all contacts, because another surface is in front.
  func cancelContacts() { contacts.cancelAll() }

  /// Handles an event of the seat.
  func takeSeat(_ event: inout WaylandEvent) throws(WaylandError) {
    guard event.number == SeatEvent.capabilities else { return }
    let capabilities = try event.uint()
    updateDevice(capabilities & SeatEvent.hasPointer != 0, &pointer, .pointer, SeatRequest.getPointer)
    updateDevice(capabilities & SeatEvent.hasTouch != 0, &touch, .touch, SeatRequest.getTouch)
    if pointer == nil {
      position = nil
      contacts.cancel(.pointer)
    }
    if touch == nil { contacts.cancelFingers() }
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
      position = try Self.point(on: surface, &event)
    case PointerEvent.leave:
      position = nil
      contacts.cancel(.pointer)
    case PointerEvent.motion:
      _ = try event.uint()
      guard let surface = position?.surface else { return }
      let point = try Self.point(on: surface, &event)
      position = point
      contacts.move(.pointer, to: point)
    case PointerEvent.button:
      _ = (try event.uint(), try event.uint())
      let button = try event.uint()
      takeButton(button, isPressed: try event.uint() == PointerEvent.isPressed)
    default: break
    }
  }

  /// Handles an event of the touch screen.
  func takeTouch(_ event: inout WaylandEvent) throws(WaylandError) {
    switch event.number {
    case TouchEvent.down:
      _ = (try event.uint(), try event.uint())
      let surface = try event.uint()
      let finger = try event.int()
      let point = try Self.point(on: surface, &event)
      addPress(point)
      contacts.begin(.finger(finger), at: point)
    case TouchEvent.up:
      _ = (try event.uint(), try event.uint())
      contacts.end(.finger(try event.int()))
    case TouchEvent.motion:
      _ = try event.uint()
      let finger = try event.int()
      guard let surface = contacts.surface(of: .finger(finger)) else { return }
      contacts.move(.finger(finger), to: try Self.point(on: surface, &event))
    case TouchEvent.cancel: contacts.cancelFingers()
    default: break
    }
  }

  private func takeButton(_ button: UInt32, isPressed: Bool) {
    if isPressed, let position { addPress(position) }
    guard button == PointerEvent.leftButton else { return }
    if !isPressed { contacts.end(.pointer) } else if let position { contacts.begin(.pointer, at: position) }
  }

  private static func point(
    on surface: UInt32,
    _ event: inout WaylandEvent
  ) throws(WaylandError) -> SurfacePoint {
    let (x, y) = (Double(try event.int()) / unit, Double(try event.int()) / unit)
    return SurfacePoint(surface: surface, x: x, y: y)
  }

  private func addPress(_ point: SurfacePoint) {
    if presses.count < Self.maximumPresses { presses.append(point) }
  }
}
