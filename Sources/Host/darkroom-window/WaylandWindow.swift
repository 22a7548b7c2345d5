// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A window of a compositor. It appears with the first image.
final class WaylandWindow {
  private let connection: WaylandConnection
  private let memory: WindowMemory
  /// The seat, or `nil` if the compositor has none.
  private let seat: WaylandSeat?
  private let base: UInt32
  private let surface: UInt32
  private let desktopSurface: UInt32
  private let toplevel: UInt32
  /// The size that the compositor requests, or `nil` for the program's choice.
  private var wanted: ImageSize?
  /// The requested size before the compositor has completed the configuration.
  private var announced: ImageSize?
  /// Whether the compositor has completed the first configuration.
  private var isConfigured = false
  /// Whether the image on the screen is outdated.
  private(set) var needsDisplay = false
  /// Whether the frame callback of the last image is pending.
  private var isFrameCallbackPending = false
  /// Whether the user closed the window.
  private(set) var isClosed = false
  /// Whether the user works with the window.
  private var isActive = false
  private var title = ""
  /// The size of the part of the window that shows the image, from the upper left corner, or `nil` before the
  /// first image.
  private(set) var imageArea: ImageSize?
  /// Whether the compositor draws a decoration with the title.
  private(set) var hasFrame = false

  /// The application ID of the program.
  private static let application = "darkroom"

  /// Connects to the compositor that listens at a socket, and creates a window.
  init(_ path: String, title: String, until end: UInt64) throws(WaylandError) {
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
    // Some compositors lack this interface, or do not draw decorations despite it.
    if globals.has("zxdg_decoration_manager_v1") {
      let manager = try globals.bind("zxdg_decoration_manager_v1", .silent)
      let decoration = connection.make(.decoration)
      connection.send(WaylandRequest(manager, DecorationRequest.getDecoration).with(decoration, toplevel))
      connection.send(
        WaylandRequest(decoration, DecorationRequest.setMode).with(DecorationRequest.byCompositor)
      )
    }
    seat = try WaylandSeat(connection, globals)
    self.connection = connection
    setTitle(title)
    connection.send(WaylandRequest(surface, SurfaceRequest.commit))
    try roundTrip(until: end)
  }

  /// The descriptor to poll for events.
  var readable: Int32 { connection.readable }
  /// The descriptor to poll for writing, or `nil` without pending output.
  var writable: Int32? { connection.writable }
  /// Whether the compositor accepts requests now.
  private var isListening: Bool { connection.writable == nil }

  /// Whether a new image can be shown now. An invisible window receives no frame callbacks, so nothing is
  /// drawn.
  var canShowFrame: Bool { isConfigured && !isFrameCallbackPending && isListening && memory.hasRoom }

  /// Sets the title, unless the compositor does not accept requests now.
  func setTitle(_ text: String) {
    guard text != title, isListening else { return }
    title = text
    connection.send(WaylandRequest(toplevel, ToplevelRequest.setTitle).with(text))
  }

  /// Marks the image as outdated.
  func redraw() { needsDisplay = isConfigured }

  /// Shows an image, optionally with a status bar below it. `size` is the default size of the image. Returns
  /// `false` if no buffer is available yet.
  func show(_ image: WindowImage, size: ImageSize, _ status: WindowStatusBar?) throws(WaylandError) -> Bool {
    let size = wanted ?? (status == nil ? size : WindowStatusBar.windowSize(size))
    guard isConfigured, isListening, let canvas = memory.canvas(size, connection) else { return false }
    let above = status?.draw(in: canvas) ?? canvas
    image.draw(in: above.bytes, above.size)
    imageArea = above.size
    connection.send(WaylandRequest(surface, SurfaceRequest.attach).with(canvas.buffer).with(0, 0))
    connection.send(WaylandRequest(surface, SurfaceRequest.damage).with(0, 0, size.width, size.height))
    if !isFrameCallbackPending {
      isFrameCallbackPending = true
      connection.send(WaylandRequest(surface, SurfaceRequest.frame).with(connection.make(.frame)))
    }
    connection.send(WaylandRequest(surface, SurfaceRequest.commit))
    memory.note(canvas.slot, isShown: true)
    needsDisplay = false
    try connection.flush()
    return true
  }

  /// Calls `body` for each key event since the last call.
  func takeKeyEvents(_ body: (KeyEventQueue.KeyEvent) -> Void) { seat?.keyboard.takeKeyEvents(body) }

  /// Returns the changes of contacts since the last call.
  func takeContactChanges() -> [SurfaceContacts.Change] { seat?.pointer.takeContactChanges() ?? [] }

  /// Handles received events, and sends pending requests.
  func exchange() throws(WaylandError) {
    while let (object, found) = try connection.nextEvent() {
      var event = found
      try take(object, &event)
    }
    try connection.flush()
  }

  /// Waits until the compositor has processed all requests.
  func roundTrip(until end: UInt64) throws(WaylandError) {
    try connection.roundTrip(until: end) { object, event throws(WaylandError) in try take(object, &event) }
  }

  private func take(_ object: WaylandConnection.Object, _ event: inout WaylandEvent) throws(WaylandError) {
    switch object {
    case .base: connection.send(WaylandRequest(base, BaseRequest.pong).with(try event.uint()))
    case .frame:
      isFrameCallbackPending = false
      connection.ignoreEvents(event.object)
    case .buffer(let slot): memory.note(slot, isShown: false)
    case .toplevel: try takeToplevel(&event)
    case .decoration: try takeDecoration(&event)
    case .seat, .keyboard, .pointer, .touch: try seat?.take(object, &event)
    case .desktopSurface:
      let serial = try event.uint()
      connection.send(WaylandRequest(desktopSurface, DesktopSurfaceRequest.acknowledge).with(serial))
      (wanted, isConfigured, needsDisplay) = (announced, true, true)
    case .display, .registry, .sync, .silent, .lock, .lockSurface, .lockFrame: break
    }
  }

  private func takeDecoration(_ event: inout WaylandEvent) throws(WaylandError) {
    guard event.number == DecorationEvent.configure else { return }
    let isDrawn = try event.uint() == DecorationRequest.byCompositor
    guard isDrawn != hasFrame else { return }
    hasFrame = isDrawn
    // The position of the status bar changes, so both buffers are cleared.
    memory.clear(connection)
    redraw()
  }

  private func takeToplevel(_ event: inout WaylandEvent) throws(WaylandError) {
    switch event.number {
    case ToplevelEvent.configure:
      let (width, height) = (try event.int(), try event.int())
      let most = WindowMemory.maximumSize
      announced =
        width > 0 && height > 0
        ? ImageSize(width: min(width, most.width), height: min(height, most.height)) : nil
      let wasActive = isActive
      isActive = try event.uints().contains(ToplevelEvent.isActive)
      // A compositor can report the pointer to a hidden window until the button is released.
      if wasActive, !isActive { seat?.pointer.cancelContacts() }
    case ToplevelEvent.close: isClosed = true
    default: break
    }
  }
}
