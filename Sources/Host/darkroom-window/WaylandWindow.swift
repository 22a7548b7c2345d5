// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A window of a compositor. It appears with the first picture.
final class WaylandWindow {
  private let connection: WaylandConnection
  private let memory: WindowMemory
  /// What is typed; nil: the compositor has no seat.
  private let keyboard: WaylandKeyboard?
  private let base: UInt32
  private let surface: UInt32
  private let desktopSurface: UInt32
  private let toplevel: UInt32
  /// How large the compositor wants it; nil: as it likes.
  private var wanted: PictureSize?
  /// The same, as long as not all is said.
  private var announced: PictureSize?
  /// Whether the compositor has said all that a picture depends on.
  private var isConfigured = false
  /// Whether the picture that is there is not as the compositor wants it.
  private(set) var isStale = false
  /// Whether the compositor has not yet said that another picture is worth drawing.
  private var isAwaited = false
  /// Whether the person has closed it.
  private(set) var isClosed = false
  private var title = ""
  /// Whether the compositor draws a frame around it, and the title there.
  private(set) var hasFrame = false

  /// The name by which the compositor knows the program.
  private static let application = "darkroom"

  /// Connects to the compositor with this socket, and makes a window there.
  init(_ path: String, title: String, until end: UInt64) throws(WaylandFault) {
    let connection = try WaylandConnection(path)
    let globals = try WaylandGlobals(connection, until: end)
    let compositor = try globals.bind("wl_compositor", .silent)
    let shared = try globals.bind("wl_shm", .silent)
    base = try globals.bind("xdg_wm_base", .base)
    memory = try WindowMemory.make(connection, shared)
    surface = connection.make(.silent)
    connection.send(WaylandRequest(compositor, CompositorRequest.createSurface).with(surface))
    desktopSurface = connection.make(.desktopSurface)
    connection.send(WaylandRequest(base, BaseRequest.getSurface).with(desktopSurface, surface))
    toplevel = connection.make(.toplevel)
    connection.send(WaylandRequest(desktopSurface, DesktopSurfaceRequest.getToplevel).with(toplevel))
    connection.send(WaylandRequest(toplevel, ToplevelRequest.setApplication).with(Self.application))
    // One that draws no frames of windows lacks this, or does not do it; then there is none.
    if globals.has("zxdg_decoration_manager_v1") {
      let manager = try globals.bind("zxdg_decoration_manager_v1", .silent)
      let decoration = connection.make(.decoration)
      connection.send(WaylandRequest(manager, DecorationRequest.getDecoration).with(decoration, toplevel))
      connection.send(
        WaylandRequest(decoration, DecorationRequest.setMode).with(DecorationRequest.byCompositor)
      )
    }
    keyboard =
      globals.has("wl_seat")
      ? WaylandKeyboard(connection, seat: try globals.bind("wl_seat", .seat)) : nil
    self.connection = connection
    setTitle(title)
    connection.send(WaylandRequest(surface, SurfaceRequest.commit))
    try roundTrip(until: end)
  }

  /// What to watch for news.
  var readable: Int32 { connection.readable }
  /// What to watch for room; nil while nothing waits for it.
  var writable: Int32? { connection.writable }
  /// Whether the compositor takes what it is told.
  private var isListening: Bool { connection.writable == nil }

  /// Whether a new picture can be shown now; a window that nobody sees never says so, and costs nothing.
  var isWanting: Bool { isConfigured && !isAwaited && isListening && memory.hasRoom }

  /// Sets the title; one that the compositor has no time for is left out.
  func setTitle(_ text: String) {
    guard text != title, isListening else { return }
    title = text
    connection.send(WaylandRequest(toplevel, ToplevelRequest.setTitle).with(text))
  }

  /// Has the picture that is there shown anew.
  func redraw() { isStale = isConfigured }

  /// Shows a picture, by default in its own size, with something below it or without; false: the compositor has no room for
  /// one yet.
  func show(_ picture: WindowPicture, size: PictureSize, _ status: WindowStatus?) throws(WaylandFault) -> Bool
  {
    let size = wanted ?? (status == nil ? size : WindowStatus.around(size))
    guard isConfigured, isListening, let canvas = memory.canvas(size, connection) else { return false }
    let above = status?.draw(in: canvas) ?? canvas
    picture.draw(in: above.bytes, above.size)
    connection.send(WaylandRequest(surface, SurfaceRequest.attach).with(canvas.buffer).with(0, 0))
    connection.send(WaylandRequest(surface, SurfaceRequest.damage).with(0, 0, size.width, size.height))
    if !isAwaited {
      isAwaited = true
      connection.send(WaylandRequest(surface, SurfaceRequest.frame).with(connection.make(.frame)))
    }
    connection.send(WaylandRequest(surface, SurfaceRequest.commit))
    memory.note(canvas.slot, isShown: true)
    isStale = false
    try connection.flush()
    return true
  }

  /// Hands over what was typed into it since the last time.
  func takeStrokes(_ body: (WaylandStrokes.Stroke) -> Void) { keyboard?.takeStrokes(body) }

  /// Takes what the compositor has said, and sends what waits.
  func exchange() throws(WaylandFault) {
    while let (object, found) = try connection.nextEvent() {
      var event = found
      try take(object, &event)
    }
    try connection.flush()
  }

  /// Waits until the compositor has seen all.
  func roundTrip(until end: UInt64) throws(WaylandFault) {
    try connection.roundTrip(until: end) { object, event throws(WaylandFault) in try take(object, &event) }
  }

  private func take(_ object: WaylandConnection.Object, _ event: inout WaylandEvent) throws(WaylandFault) {
    switch object {
    case .base: connection.send(WaylandRequest(base, BaseRequest.pong).with(try event.uint()))
    case .frame:
      isAwaited = false
      connection.silence(event.object)
    case .buffer(let slot): memory.note(slot, isShown: false)
    case .toplevel: try takeToplevel(&event)
    case .decoration: try takeDecoration(&event)
    case .seat: try keyboard?.takeSeat(&event)
    case .keyboard: try keyboard?.take(&event)
    case .desktopSurface:
      let serial = try event.uint()
      connection.send(WaylandRequest(desktopSurface, DesktopSurfaceRequest.acknowledge).with(serial))
      (wanted, isConfigured, isStale) = (announced, true, true)
    case .display, .registry, .sync, .silent, .pointer, .touch, .lock, .lockSurface, .lockFrame: break
    }
  }

  private func takeDecoration(_ event: inout WaylandEvent) throws(WaylandFault) {
    guard event.number == DecorationEvent.configure else { return }
    let isDrawn = try event.uint() == DecorationRequest.byCompositor
    guard isDrawn != hasFrame else { return }
    hasFrame = isDrawn
    // What stood below the picture is not to stay beside it.
    memory.clear(connection)
    redraw()
  }

  private func takeToplevel(_ event: inout WaylandEvent) throws(WaylandFault) {
    switch event.number {
    case ToplevelEvent.configure:
      let (width, height) = (try event.int(), try event.int())
      let most = WindowMemory.most
      announced =
        width > 0 && height > 0
        ? PictureSize(width: min(width, most.width), height: min(height, most.height)) : nil
    case ToplevelEvent.close: isClosed = true
    default: break
    }
  }
}
