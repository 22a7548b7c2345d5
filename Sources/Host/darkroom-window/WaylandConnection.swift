// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A connection to a compositor: objects, what goes out, and what comes in. Nothing waits but ``roundTrip(until:_:)``.
///
/// It is a socket and the protocol alone, without a library: once the memory for pixels is shared, no descriptor goes out,
/// and none comes in but those of keyboards.
final class WaylandConnection {
  /// What an object of this program's is.
  enum Object: Equatable {
    /// `wl_display`.
    case display
    /// `wl_registry`.
    case registry
    /// A `wl_callback` for a round trip.
    case sync
    /// A `wl_callback` for a frame.
    case frame
    /// One that says nothing that matters, or that is about to be forgotten.
    case silent
    /// The `wl_buffer` of one of the pictures.
    case buffer(Int)
    /// `wl_pointer`.
    case pointer
    /// `wl_touch`.
    case touch
    /// `ext_session_lock_v1`.
    case lock
    /// The `ext_session_lock_surface_v1` of one of the outputs.
    case lockSurface(Int)
    /// The `wl_callback` for a frame of one of them.
    case lockFrame(Int)
    /// `xdg_wm_base`.
    case base
    /// `wl_seat`.
    case seat
    /// `wl_keyboard`.
    case keyboard
    /// `xdg_surface`.
    case desktopSurface
    /// `xdg_toplevel`.
    case toplevel
    /// `zxdg_toplevel_decoration_v1`.
    case decoration
  }

  /// The number of `wl_display`.
  static let display: UInt32 = 1
  /// Objects from here on are the compositor's.
  private static let mostObjects: UInt32 = 0xFF00_0000

  private let socket: Descriptor
  private var objects: [UInt32: Object] = [display: .display]
  /// Numbers that the compositor has forgotten: without their use again it would remember ever more.
  private var free: [UInt32] = []
  private var next = display + 1
  private var waiting: ArraySlice<UInt8> = []
  private let received = ReceivedBytes()
  /// Descriptors that came, and that no event has taken yet.
  private var descriptors: [HeldDescriptor] = []
  /// The most of them: more than any event brings.
  private static let mostDescriptors = 16

  /// Connects.
  init(_ path: String) throws(WaylandFault) {
    do throws(SystemCallError) {
      let socket = try LocalSocket.connect(path, seconds: 5)
      try socket.setNonBlocking()
      self.socket = socket
    } catch { throw .unreachable("\(error)") }
  }

  /// What to watch for events.
  var readable: Int32 { socket.rawValue }
  /// What to watch for room; nil while nothing waits for it.
  var writable: Int32? { waiting.isEmpty ? nil : socket.rawValue }

  /// A number for a new object.
  func make(_ object: Object) -> UInt32 {
    let number: UInt32
    if let old = free.popLast() {
      number = old
    } else {
      number = next
      next += 1
    }
    objects[number] = object
    return number
  }

  /// Nothing that an object says matters any more.
  func silence(_ number: UInt32) { objects[number] = .silent }

  /// Sends a request, as soon as the compositor takes it.
  func send(_ request: WaylandRequest) { waiting += request.packet }

  /// Sends a request with a descriptor; nothing else waits to go out.
  func send(_ request: WaylandRequest, with descriptor: Int32) throws(WaylandFault) {
    try flush()
    do throws(SystemCallError) {
      try PacketSocket.send(request.packet, [descriptor], over: socket)
    } catch { throw .gone }
  }

  /// Sends what waits, as far as it is taken now.
  func flush() throws(WaylandFault) {
    while !waiting.isEmpty {
      var result: Result<Int?, SystemCallError> = .success(nil)
      waiting.withUnsafeBytes { bytes in
        result = Result { () throws(SystemCallError) in try socket.write(bytes) }
      }
      guard case .success(let count) = result else { throw .gone }
      guard let count, count > 0 else { return }
      waiting = waiting.dropFirst(count)
    }
    waiting = []
  }

  /// The next event, and the object that it is of; nil: none has come. What a person need not know is dealt with.
  func nextEvent() throws(WaylandFault) -> (Object, WaylandEvent)? {
    while true {
      while var event = try WaylandEvent.take(from: received) {
        let object = objects[event.object] ?? .silent
        if object != .display { return (object, event) }
        try take(&event)
      }
      guard try receive() else { return nil }
    }
  }

  /// Takes an event of the display.
  private func take(_ event: inout WaylandEvent) throws(WaylandFault) {
    switch event.number {
    case DisplayEvent.error:
      _ = try event.uint()
      let code = try event.uint()
      throw .refused("\(try event.text()) (\(code))")
    case DisplayEvent.deleteID:
      let number = try event.uint()
      guard number != Self.display, number < Self.mostObjects, objects.removeValue(forKey: number) != nil
      else { return }
      free.append(number)
    default: break
    }
  }

  /// The descriptor that belongs to the event that is being taken; nil: there is none.
  func takeDescriptor() -> HeldDescriptor? { descriptors.isEmpty ? nil : descriptors.removeFirst() }

  /// Reads once; whether there was anything.
  private func receive() throws(WaylandFault) -> Bool {
    guard !received.isFull else { throw .unclear }
    let filling: PacketSocket.Filling
    do { filling = try received.fill(from: socket) } catch { throw .gone }
    switch filling {
    case .bytes(_, let arrived):
      descriptors += arrived
      guard descriptors.count <= Self.mostDescriptors else { throw .unclear }
      return true
    case .nothing: return false
    case .tooLarge: throw .unclear
    case .end: throw .gone
    }
  }

  /// Waits until the compositor has done all before this; every other event goes to `body`.
  func roundTrip(
    until end: UInt64,
    _ body: (Object, inout WaylandEvent) throws(WaylandFault) -> Void
  ) throws(WaylandFault) {
    let number = make(.sync)
    send(WaylandRequest(Self.display, DisplayRequest.sync).with(number))
    while true {
      try flush()
      while let (object, found) = try nextEvent() {
        if found.object == number { return }
        var event = found
        try body(object, &event)
      }
      let watched: [(descriptor: Int32, interest: Readiness)] = [
        (readable, .readable), (writable ?? -1, .writable),
      ]
      guard let found = try? Poller.wait(watched, until: end), MonotonicClock.now < end || !found[0].isEmpty
      else { throw .silent }
    }
  }
}
