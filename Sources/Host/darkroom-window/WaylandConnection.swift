// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A connection to a Wayland compositor: objects, requests and events. Only ``roundTrip(until:_:)`` blocks.
///
/// It uses the socket and the protocol directly, without a library. Once the memory for pixels is shared, no
/// descriptor is sent, and only the descriptors of keymaps are received.
final class WaylandConnection {
  /// The kinds of objects that this program creates.
  enum Object: Equatable {
    /// `wl_display`.
    case display
    /// `wl_registry`.
    case registry
    /// A `wl_callback` for a round trip.
    case sync
    /// A `wl_callback` for a frame.
    case frame
    /// An object without relevant events, or one that is about to be deleted.
    case silent
    /// The `wl_buffer` of an image, by the index of the image.
    case buffer(Int)
    /// `wl_pointer`.
    case pointer
    /// `wl_touch`.
    case touch
    /// `ext_session_lock_v1`.
    case lock
    /// The `ext_session_lock_surface_v1` of an output, by the index of its memory.
    case lockSurface(Int)
    /// A `wl_callback` for a frame of a lock surface.
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

  /// The object ID of `wl_display`.
  static let display: UInt32 = 1
  /// The first object ID that belongs to the compositor.
  private static let firstServerID: UInt32 = 0xFF00_0000

  private let socket: Descriptor
  private var objects: [UInt32: Object] = [display: .display]
  /// Object IDs that the compositor has released. They are reused, so that the compositor's table does not
  /// grow.
  private var free: [UInt32] = []
  private var next = display + 1
  private var waiting: ArraySlice<UInt8> = []
  private let received = ReceiveBuffer()
  /// Received descriptors that no event has taken yet.
  private var descriptors: [HeldDescriptor] = []
  /// The maximum number of such descriptors. No event contains more.
  private static let maximumDescriptors = 16

  /// Connects to the socket at a path.
  init(_ path: String) throws(WaylandError) {
    do throws(SystemCallError) {
      let socket = try LocalSocket.connect(path, seconds: 5)
      try socket.setNonBlocking()
      self.socket = socket
    } catch { throw .unreachable("\(error)") }
  }

  /// The descriptor to poll for events.
  var readable: Int32 { socket.rawValue }
  /// The descriptor to poll for writing, or `nil` without pending output.
  var writable: Int32? { waiting.isEmpty ? nil : socket.rawValue }

  /// Returns the ID of a new object.
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

  /// Ignores all further events of an object.
  func ignoreEvents(_ number: UInt32) { objects[number] = .silent }

  /// Adds a request to the output.
  func send(_ request: WaylandRequest) { waiting += request.packet }

  /// Sends a request with a descriptor, after all pending output.
  func send(_ request: WaylandRequest, with descriptor: Int32) throws(WaylandError) {
    try flush()
    do throws(SystemCallError) {
      try PacketSocket.send(request.packet, [descriptor], over: socket)
    } catch { throw .disconnected }
  }

  /// Writes pending output without blocking.
  func flush() throws(WaylandError) {
    while !waiting.isEmpty {
      var result: Result<Int?, SystemCallError> = .success(nil)
      waiting.withUnsafeBytes { bytes in
        result = Result { () throws(SystemCallError) in try socket.write(bytes) }
      }
      guard case .success(let count) = result else { throw .disconnected }
      guard let count, count > 0 else { return }
      waiting = waiting.dropFirst(count)
    }
    waiting = []
  }

  /// Returns the next event and its object, or `nil` if none has arrived. Events of the display are handled
  /// internally.
  func nextEvent() throws(WaylandError) -> (Object, WaylandEvent)? {
    while true {
      while var event = try WaylandEvent.take(from: received) {
        let object = objects[event.object] ?? .silent
        if object != .display { return (object, event) }
        try take(&event)
      }
      guard try receive() else { return nil }
    }
  }

  /// Handles an event of the display.
  private func take(_ event: inout WaylandEvent) throws(WaylandError) {
    switch event.number {
    case DisplayEvent.error:
      _ = try event.uint()
      let code = try event.uint()
      throw .refused("\(try event.text()) (\(code))")
    case DisplayEvent.deleteID:
      let number = try event.uint()
      guard number != Self.display, number < Self.firstServerID, objects.removeValue(forKey: number) != nil
      else { return }
      free.append(number)
    default: break
    }
  }

  /// Returns the descriptor that belongs to the current event, or `nil` if there is none.
  func takeDescriptor() -> HeldDescriptor? { descriptors.isEmpty ? nil : descriptors.removeFirst() }

  /// Reads once, and returns whether bytes were received.
  private func receive() throws(WaylandError) -> Bool {
    guard !received.isFull else { throw .protocolViolation }
    let filling: PacketSocket.BufferOutcome
    do { filling = try received.fill(from: socket) } catch { throw .disconnected }
    switch filling {
    case .bytes(_, let arrived):
      descriptors += arrived
      guard descriptors.count <= Self.maximumDescriptors else { throw .protocolViolation }
      return true
    case .nothing: return false
    case .tooLarge: throw .protocolViolation
    case .end: throw .disconnected
    }
  }

  /// Waits until the compositor has processed all earlier requests. `body` handles all other events.
  func roundTrip(
    until end: UInt64,
    _ body: (Object, inout WaylandEvent) throws(WaylandError) -> Void
  ) throws(WaylandError) {
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
      else { throw .timedOut }
    }
  }
}
