// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The locked outputs of a compositor (ext-session-lock-v1). The outputs show only the surfaces of this
/// program.
///
/// If this program exits without unlocking, the compositor keeps the outputs locked. Memory for outputs that
/// are added later is shared in advance, because descriptors can no longer be sent then.
final class WaylandLock {
  /// The surface of an output.
  struct OutputSurface {
    /// The numeric name of the output.
    let output: UInt32
    /// Its `wl_surface`.
    let surface: UInt32
    /// Its `ext_session_lock_surface_v1`.
    let lockSurface: UInt32
    /// The size that the compositor requests, or `nil` if it has not sent one yet.
    var size: ImageSize?
    /// Whether the image is outdated.
    var needsDisplay = true
    /// The callback that reports when another image is useful, or `nil` if it is useful now.
    var frame: UInt32?
  }

  let connection: WaylandConnection
  let globals: WaylandGlobals
  let compositor: UInt32
  let lock: UInt32
  /// The seat, or `nil` if the compositor has none.
  private let seat: WaylandSeat?
  /// Pairs of images. A pair can be reused for another output.
  let memories: [WindowMemory]
  /// The surfaces, by the index of their memory.
  var outputSurfaces: [Int: OutputSurface] = [:]
  /// Whether the compositor has confirmed the lock.
  private var isLocked = false

  /// The interface of the global that locks.
  private static let manager = "ext_session_lock_manager_v1"
  /// The interface of outputs.
  static let output = "wl_output"
  /// The maximum number of outputs with an image.
  private static let maximumOutputs = 16
  /// The number of additional outputs for which memory is reserved.
  private static let spareOutputs = 4

  /// Locks the outputs of the compositor that listens at a socket, and shows the image that `draw` creates.
  init(
    _ path: String,
    until end: UInt64,
    draw: (WindowMemory.Canvas) -> Void
  ) throws(WaylandError) {
    let connection = try WaylandConnection(path)
    let globals = try WaylandGlobals(connection, until: end)
    compositor = try globals.bind("wl_compositor", .silent)
    let shared = try globals.bind("wl_shm", .silent)
    let manager = try globals.bind(Self.manager, .silent)
    seat = try WaylandSeat(connection, globals)
    let outputs = globals.numbers(of: Self.output)
    var memories: [WindowMemory] = []
    for index in 0..<min(outputs.count + Self.spareOutputs, Self.maximumOutputs) {
      memories.append(try WindowMemory.make(connection, shared, first: 2 * index))
    }
    self.memories = memories
    lock = connection.make(.lock)
    (self.connection, self.globals) = (connection, globals)
    connection.send(WaylandRequest(manager, LockManagerRequest.lock).with(lock))
    for output in outputs { add(output) }
    while !isLocked {
      try connection.roundTrip(until: end) { object, event throws(WaylandError) in try take(object, &event) }
      try show(draw)
      guard !isLocked else { return }
      // The compositor confirms the lock after every output shows its image.
      let watched: [(descriptor: Int32, interest: Readiness)] = [(readable, .readable)]
      guard let found = try? Poller.wait(watched, until: end), !found[0].isEmpty else { throw .timedOut }
    }
  }

  /// The descriptor to poll for events.
  var readable: Int32 { connection.readable }
  /// The descriptor to poll for writing, or `nil` without pending output.
  var writable: Int32? { connection.writable }

  /// Calls `body` for each key event since the last call.
  func takeKeyEvents(_ body: (KeyEventQueue.KeyEvent) -> Void) { seat?.keyboard.takeKeyEvents(body) }

  /// Returns the presses since the last call, with the size of their surface.
  func takePresses() -> [(column: Int, row: Int, size: ImageSize)] {
    (seat?.pointer.takePresses() ?? []).compactMap { press in
      size(ofSurface: press.surface).map { (Int(press.x), Int(press.y), $0) }
    }
  }

  /// Returns the changes of contacts since the last call, with the size of their surface.
  func takeContactChanges() -> [(change: SurfaceContacts.Change, size: ImageSize)] {
    (seat?.pointer.takeContactChanges() ?? []).compactMap { change in
      size(ofSurface: change.point.surface).map { (change, $0) }
    }
  }

  private func size(ofSurface surface: UInt32) -> ImageSize? {
    outputSurfaces.values.first { $0.surface == surface }?.size
  }

  /// Handles received events, and sends pending requests.
  func exchange() throws(WaylandError) {
    while let (object, found) = try connection.nextEvent() {
      var event = found
      try take(object, &event)
    }
    try connection.flush()
  }

  /// Unlocks, and waits until the compositor has done so.
  func unlock(until end: UInt64) throws(WaylandError) {
    connection.send(WaylandRequest(lock, LockRequest.unlock))
    connection.ignoreEvents(lock)
    try connection.roundTrip(until: end) { object, event throws(WaylandError) in try take(object, &event) }
  }

  private func take(_ object: WaylandConnection.Object, _ event: inout WaylandEvent) throws(WaylandError) {
    switch object {
    case .lock:
      // Another program holds the lock, or the compositor refuses it.
      guard event.number == LockEvent.locked else {
        throw .refused(isLocked ? "the lock has ended" : "another program has locked the screens")
      }
      isLocked = true
    case .registry: try takeOutput(&event)
    case .lockSurface(let index): try configure(index, &event)
    case .lockFrame(let index):
      outputSurfaces[index]?.frame = nil
      connection.ignoreEvents(event.object)
    case .buffer(let slot): memories[slot / 2].note(slot, isShown: false)
    case .seat, .keyboard, .pointer, .touch: try seat?.take(object, &event)
    case .display, .sync, .silent, .frame, .base, .desktopSurface, .toplevel, .decoration: break
    }
  }
}
