// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxEnforcement
internal import ViewfinderLink

/// Shows a lock screen, and the viewfinders of sessions that are launched there, until the host unlocks the
/// screens.
final class LockScreenDisplay {
  private let link: HostLink
  private let lock: WaylandLock
  private var content = LockScreenContent()
  private var ring: PreviewObserver?
  /// The number of the frame that the host holds, or `nil`.
  private var pending: UInt64?
  /// The image of a session, or `nil` without a session.
  private var image: WindowImage?
  private var frames = FrameStatistics()
  private var clock = LockClock()
  /// The renderer for text, or `nil` without fonts.
  private var textRenderer: TextRenderer?

  /// The time limit for the compositor to unlock, in nanoseconds.
  private static let patience: UInt64 = 2_000_000_000

  /// Locks the outputs of the compositor that listens at a socket.
  init(_ link: HostLink, _ socket: String, until end: UInt64) throws(WaylandError) {
    self.link = link
    let content = content
    // The first image has no text, so that a search for fonts cannot prevent the lock.
    lock = try WaylandLock(socket, until: end) { canvas in
      LockScreenRenderer(content: content, textRenderer: nil, clock: "").draw(in: canvas)
    }
  }

  /// Runs until the end, and returns the exit code.
  func run() -> Int32 {
    // Without fonts, dots and colors show the same state.
    textRenderer = TextRenderer(FontFinder.find())
    // Without this library there are no viewfinders, but that must not prevent the lock either.
    _ = RGBConversion.loadLibrary()
    // All required files are open now, except the rings of sessions, which the host sends.
    let calls = HelperConfinement.lockScreen(host: link.readable, compositor: lock.readable)
    guard (try? HelperConfinement.enter(allowing: calls)) != nil else { return HelperExit.confinementFailed }
    lock.setNeedsDisplay()
    do throws(WaylandError) { try update() } catch { return HelperExit.code(error) }
    while true {
      let watched: [(descriptor: Int32, interest: Readiness)] = [
        (link.readable, .readable), (lock.readable, .readable), (lock.writable ?? -1, .writable),
        (clock.readable ?? -1, .readable),
      ]
      let end = isClockShown ? clock.nextMinute : nil
      guard let found = try? Poller.wait(watched, until: end) else { return 1 }
      if !found[3].isEmpty { clock.takeChange() }
      do throws(WaylandError) {
        while let message = link.next() {
          if let code = try take(message) { return code }
        }
        try update()
      } catch { return HelperExit.code(error) }
    }
  }

  /// Whether the time of day is visible.
  private var isClockShown: Bool { textRenderer != nil && content.mode != .session }

  /// Updates the clock, and redraws the screen if the text changed.
  private func followClock() {
    if isClockShown, clock.update() { lock.setNeedsDisplay() }
  }

  /// Handles a message. Returns the exit code if it is the last message.
  private func take(_ message: HostLink.Message) throws(WaylandError) -> Int32? {
    switch message {
    case .ring(let window):
      ring = window
      image = WindowImage(ImageSize(width: window.geometry.width, height: window.geometry.height))
      lock.setNeedsDisplay()
    case .frame(let sequence): pending = sequence
    case .end:
      releaseFrame()
      link.reportSummary(ring == nil ? "" : frames.summary)
      (ring, image, frames) = (nil, nil, FrameStatistics())
      lock.setNeedsDisplay()
    case .lockScreen(let new):
      content = new
      lock.setNeedsDisplay()
    case .unlock:
      try lock.unlock(until: MonotonicClock.now + Self.patience)
      return 0
    // The compositor keeps the screens locked.
    case .disconnected: return 1
    case .state, .terminal, .pause: break
    }
    return nil
  }

  /// Processes events of the compositor and the user, and redraws the screens.
  private func update() throws(WaylandError) {
    try lock.exchange()
    followClock()
    lock.takeKeyEvents(link.pass)
    for press in lock.takePresses() where LockScreenRenderer.isOnButton(press.column, press.row, press.size) {
      link.requestCamera()
    }
    for (change, size) in lock.takeContactChanges() where content.mode == .session {
      if let packet = image?.packet(change, in: size) { link.reportPointer(packet) }
    }
    takePending()
    try lock.show { canvas in
      // A prompt during a session replaces the image of the session.
      guard content.mode == .session else {
        return LockScreenRenderer(content: content, textRenderer: textRenderer, clock: clock.text).draw(
          in: canvas
        )
      }
      canvas.bytes.initializeMemory(as: UInt8.self, repeating: 0)
      image?.draw(in: canvas.bytes, canvas.size)
      LockScreenRenderer.drawFrame(in: canvas)
    }
  }

  /// Copies the frame that the host holds, if an output can show it.
  private func takePending() {
    guard let sequence = pending else { return }
    guard let ring, let image else { return releaseFrame() }
    guard lock.canShowFrame else { return }
    let isWhole = RGBConversion.copy(ring.pixels(ofFrame: sequence), ring.geometry, asBGRX: image.bytes)
    releaseFrame()
    guard isWhole else { return }
    frames.record(sequence, at: MonotonicClock.now)
    lock.setNeedsDisplay()
  }

  private func releaseFrame() {
    guard pending != nil else { return }
    pending = nil
    link.releaseFrame()
  }
}
