// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// All outputs of a compositor, locked (ext-session-lock-v1): nothing but this program's surfaces is shown on them.
///
/// When this program ends without having unlocked, the compositor leaves them locked. The memory of an output that comes
/// later is shared beforehand, because no descriptor can be sent then any more.
final class WaylandLock {
  /// The surface of an output.
  struct Face {
    /// The number of the output.
    let output: UInt32
    /// Its `wl_surface`.
    let surface: UInt32
    /// Its `ext_session_lock_surface_v1`.
    let lockSurface: UInt32
    /// How large the compositor wants it; nil: it has not said so yet.
    var size: PictureSize?
    /// Whether what is there is not what is to be shown.
    var isStale = true
    /// What says that another picture is worth drawing; nil: it is now.
    var frame: UInt32?
  }

  let connection: WaylandConnection
  let globals: WaylandGlobals
  let compositor: UInt32
  let lock: UInt32
  private let keyboard: WaylandKeyboard?
  private let pointer: WaylandPointer?
  /// Pairs of pictures, each of which one output after the other can have.
  let memories: [WindowMemory]
  /// The surfaces, by the index of their memory.
  var faces: [Int: Face] = [:]
  /// Whether the compositor shows nothing else.
  private var isLocked = false

  /// The global that locks.
  private static let manager = "ext_session_lock_manager_v1"
  /// What outputs are called.
  static let output = "wl_output"
  /// The most outputs that get a picture at once.
  private static let mostOutputs = 16
  /// How many more there can be than there were at first.
  private static let spareOutputs = 4

  /// Locks the outputs of the compositor with this socket, and shows a picture that is drawn by `draw` on them.
  init(
    _ path: String,
    until end: UInt64,
    draw: (WindowMemory.Canvas) -> Void
  ) throws(WaylandFault) {
    let connection = try WaylandConnection(path)
    let globals = try WaylandGlobals(connection, until: end)
    compositor = try globals.bind("wl_compositor", .silent)
    let shared = try globals.bind("wl_shm", .silent)
    let manager = try globals.bind(Self.manager, .silent)
    let seat = globals.has("wl_seat") ? try globals.bind("wl_seat", .seat) : nil
    keyboard = seat.map { WaylandKeyboard(connection, seat: $0) }
    pointer = seat.map { WaylandPointer(connection, seat: $0) }
    let outputs = globals.numbers(of: Self.output)
    var memories: [WindowMemory] = []
    for index in 0..<min(outputs.count + Self.spareOutputs, Self.mostOutputs) {
      memories.append(try WindowMemory.make(connection, shared, first: 2 * index))
    }
    self.memories = memories
    lock = connection.make(.lock)
    (self.connection, self.globals) = (connection, globals)
    connection.send(WaylandRequest(manager, LockManagerRequest.lock).with(lock))
    for output in outputs { add(output) }
    while !isLocked {
      try connection.roundTrip(until: end) { object, event throws(WaylandFault) in try take(object, &event) }
      try show(draw)
      guard !isLocked else { return }
      // What is locked is said when every output shows its picture.
      let watched: [(descriptor: Int32, interest: Readiness)] = [(readable, .readable)]
      guard let found = try? Poller.wait(watched, until: end), !found[0].isEmpty else { throw .silent }
    }
  }

  /// What to watch for news.
  var readable: Int32 { connection.readable }
  /// What to watch for room; nil while nothing waits for it.
  var writable: Int32? { connection.writable }

  /// Hands over what was typed since the last time.
  func takeStrokes(_ body: (WaylandStrokes.Stroke) -> Void) { keyboard?.takeStrokes(body) }

  /// What was pressed since the last time: where, and on a surface of which size.
  func takePresses() -> [(column: Int, row: Int, size: PictureSize)] {
    (pointer?.takePresses() ?? []).compactMap { press in
      faces.values.first { $0.surface == press.surface }?.size.map { (press.column, press.row, $0) }
    }
  }

  /// Takes what the compositor has said, and sends what waits.
  func exchange() throws(WaylandFault) {
    while let (object, found) = try connection.nextEvent() {
      var event = found
      try take(object, &event)
    }
    try connection.flush()
  }

  /// Unlocks, and waits until the compositor has done it.
  func unlock(until end: UInt64) throws(WaylandFault) {
    connection.send(WaylandRequest(lock, LockRequest.unlock))
    connection.silence(lock)
    try connection.roundTrip(until: end) { object, event throws(WaylandFault) in try take(object, &event) }
  }

  private func take(_ object: WaylandConnection.Object, _ event: inout WaylandEvent) throws(WaylandFault) {
    switch object {
    case .lock:
      // Another program has locked, or the compositor does not let this one.
      guard event.number == LockEvent.locked else {
        throw .refused(isLocked ? "the lock is over" : "another program has locked the screens")
      }
      isLocked = true
    case .registry: try takeOutput(&event)
    case .lockSurface(let index): try configure(index, &event)
    case .lockFrame(let index):
      faces[index]?.frame = nil
      connection.silence(event.object)
    case .buffer(let slot): memories[slot / 2].note(slot, isShown: false)
    case .seat:
      var same = event
      try keyboard?.takeSeat(&event)
      try pointer?.takeSeat(&same)
    case .keyboard: try keyboard?.take(&event)
    case .pointer: try pointer?.takePointer(&event)
    case .touch: try pointer?.takeTouch(&event)
    case .display, .sync, .silent, .frame, .base, .desktopSurface, .toplevel, .decoration: break
    }
  }
}
