// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// All outputs of a compositor, locked (ext-session-lock-v1): nothing but this program's surfaces is shown on them.
///
/// When this program ends without having unlocked, the compositor leaves them locked. An output that comes later stays
/// dark: its memory could not be shared any more.
final class WaylandLock {
  /// The surface of an output.
  private struct Face {
    let surface: UInt32
    let lockSurface: UInt32
    let memory: WindowMemory
    /// How large the compositor wants it; nil: it has not said so yet.
    var size: PictureSize?
    /// Whether what is there is not what is to be shown.
    var isStale = true
    /// Whether the compositor has not yet said that another picture is worth drawing.
    var isAwaited = false
  }

  private let connection: WaylandConnection
  private let lock: UInt32
  private let keyboard: WaylandKeyboard?
  private let pointer: WaylandPointer?
  private var faces: [Face] = []
  /// Whether the compositor shows nothing else.
  private var isLocked = false

  /// The global that locks.
  private static let manager = "ext_session_lock_manager_v1"
  /// The most outputs that get a picture.
  private static let mostOutputs = 16

  /// Locks the outputs of the compositor with this socket, and shows a picture that is drawn by `draw` on them.
  init(
    _ path: String,
    until end: UInt64,
    draw: (WindowMemory.Canvas) -> Void
  ) throws(WaylandFault) {
    let connection = try WaylandConnection(path)
    let globals = try WaylandGlobals(connection, until: end)
    let compositor = try globals.bind("wl_compositor", .silent)
    let shared = try globals.bind("wl_shm", .silent)
    let manager = try globals.bind(Self.manager, .silent)
    let seat = globals.has("wl_seat") ? try globals.bind("wl_seat", .seat) : nil
    keyboard = seat.map { WaylandKeyboard(connection, seat: $0) }
    pointer = seat.map { WaylandPointer(connection, seat: $0) }
    lock = connection.make(.lock)
    self.connection = connection
    connection.send(WaylandRequest(manager, LockManagerRequest.lock).with(lock))
    for index in 0..<min(globals.count(of: "wl_output"), Self.mostOutputs) {
      let output = try globals.bind("wl_output", .silent, at: index)
      let surface = connection.make(.silent)
      connection.send(WaylandRequest(compositor, CompositorRequest.createSurface).with(surface))
      let lockSurface = connection.make(.lockSurface(index))
      connection.send(WaylandRequest(lock, LockRequest.getSurface).with(lockSurface, surface, output))
      let memory = try WindowMemory.make(connection, shared, first: 2 * index)
      faces.append(Face(surface: surface, lockSurface: lockSurface, memory: memory))
    }
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
      faces.first { $0.surface == press.surface }?.size.map { (press.column, press.row, $0) }
    }
  }

  /// Whether some output can show another picture now.
  var isWanting: Bool {
    connection.writable == nil && faces.contains { $0.size != nil && !$0.isAwaited && $0.memory.hasRoom }
  }

  /// What is to be shown has changed.
  func change() { for index in faces.indices { faces[index].isStale = true } }

  /// Draws where the picture is not as it should be and there is room for another.
  func show(_ draw: (WindowMemory.Canvas) -> Void) throws(WaylandFault) {
    for index in faces.indices where faces[index].isStale && !faces[index].isAwaited {
      let face = faces[index]
      guard connection.writable == nil, let size = face.size,
        let canvas = face.memory.canvas(size, connection)
      else { continue }
      draw(canvas)
      connection.send(WaylandRequest(face.surface, SurfaceRequest.attach).with(canvas.buffer).with(0, 0))
      connection.send(
        WaylandRequest(face.surface, SurfaceRequest.damage).with(0, 0, size.width, size.height)
      )
      connection.send(
        WaylandRequest(face.surface, SurfaceRequest.frame).with(connection.make(.lockFrame(index)))
      )
      connection.send(WaylandRequest(face.surface, SurfaceRequest.commit))
      face.memory.note(canvas.slot, isShown: true)
      (faces[index].isStale, faces[index].isAwaited) = (false, true)
    }
    try connection.flush()
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
    case .lockSurface(let index):
      let serial = try event.uint()
      let most = WindowMemory.most
      let size = PictureSize(
        width: min(max(1, Int(try event.uint())), most.width),
        height: min(max(1, Int(try event.uint())), most.height)
      )
      let request = WaylandRequest(faces[index].lockSurface, LockSurfaceRequest.acknowledge)
      connection.send(request.with(serial))
      (faces[index].size, faces[index].isStale) = (size, true)
    case .lockFrame(let index):
      faces[index].isAwaited = false
      connection.silence(event.object)
    case .buffer(let slot): faces[slot / 2].memory.note(slot, isShown: false)
    case .seat:
      var same = event
      try keyboard?.takeSeat(&event)
      try pointer?.takeSeat(&same)
    case .keyboard: try keyboard?.take(&event)
    case .pointer: try pointer?.takePointer(&event)
    case .touch: try pointer?.takeTouch(&event)
    case .display, .registry, .sync, .silent, .frame, .base, .desktopSurface, .toplevel: break
    }
  }
}
