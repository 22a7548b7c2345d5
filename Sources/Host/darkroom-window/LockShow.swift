// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxEnforcement
internal import ViewfinderLink

/// Shows a lock screen, and the viewfinders of sessions that are launched there, until the host unlocks the
/// screens.
final class LockShow {
  private let link: HostLink
  private let lock: WaylandLock
  private var face = LockFace()
  private var ring: PreviewWindow?
  /// The number of the frame that the host holds, or `nil`.
  private var pending: UInt64?
  /// The image of a session, or `nil` without a session.
  private var picture: WindowPicture?
  private var frames = ShownFrames()
  private var clock = LockClock()
  /// The renderer for text, or `nil` without fonts.
  private var pen: LetterPen?

  /// The time limit for the compositor to unlock, in nanoseconds.
  private static let patience: UInt64 = 2_000_000_000

  /// Locks the outputs of the compositor that listens at a socket.
  init(_ link: HostLink, _ socket: String, until end: UInt64) throws(WaylandFault) {
    self.link = link
    let face = face
    // The first image has no text, so that a search for fonts cannot prevent the lock.
    lock = try WaylandLock(socket, until: end) { canvas in
      LockDrawing(face: face, pen: nil, clock: "").draw(in: canvas)
    }
  }

  /// Runs until the end, and returns the exit code.
  func run() -> Int32 {
    // Without fonts, dots and colors show the same state.
    pen = LetterPen(LetterFonts.find())
    // Without this library there are no viewfinders, but that must not prevent the lock either.
    _ = FramePixels.prepare()
    // All required files are open now, except the rings of sessions, which the host sends.
    let calls = HelperConfinement.lockScreen(host: link.readable, compositor: lock.readable)
    guard (try? HelperConfinement.enter(allowing: calls)) != nil else { return HelperExit.unconfined }
    lock.change()
    do throws(WaylandFault) { try look() } catch { return HelperExit.code(error) }
    while true {
      let watched: [(descriptor: Int32, interest: Readiness)] = [
        (link.readable, .readable), (lock.readable, .readable), (lock.writable ?? -1, .writable),
        (clock.readable ?? -1, .readable),
      ]
      let end = isClockShown ? clock.nextMinute : nil
      guard let found = try? Poller.wait(watched, until: end) else { return 1 }
      if !found[3].isEmpty { clock.takeChange() }
      do throws(WaylandFault) {
        while let message = link.next() {
          if let code = try take(message) { return code }
        }
        try look()
      } catch { return HelperExit.code(error) }
    }
  }

  /// Whether the time of day is visible.
  private var isClockShown: Bool { pen != nil && face.situation != .session }

  /// Updates the clock, and redraws the screen if the text changed.
  private func followClock() {
    if isClockShown, clock.look() { lock.change() }
  }

  /// Handles a message. Returns the exit code if it is the last message.
  private func take(_ message: HostLink.Message) throws(WaylandFault) -> Int32? {
    switch message {
    case .ring(let window):
      ring = window
      picture = WindowPicture(PictureSize(width: window.geometry.width, height: window.geometry.height))
      lock.change()
    case .frame(let sequence): pending = sequence
    case .end:
      letGo()
      link.total(ring == nil ? "" : frames.total)
      (ring, picture, frames) = (nil, nil, ShownFrames())
      lock.change()
    case .face(let new):
      face = new
      lock.change()
    case .unlock:
      try lock.unlock(until: MonotonicClock.now + Self.patience)
      return 0
    // The compositor keeps the screens locked.
    case .gone: return 1
    case .state, .terminal, .pause: break
    }
    return nil
  }

  /// Processes events of the compositor and the user, and redraws the screens.
  private func look() throws(WaylandFault) {
    try lock.exchange()
    followClock()
    lock.takeStrokes(link.pass)
    for press in lock.takePresses() where LockDrawing.isOnButton(press.column, press.row, press.size) {
      link.wantCamera()
    }
    takePending()
    try lock.show { canvas in
      // A prompt during a session replaces the image of the session.
      guard face.situation == .session else {
        return LockDrawing(face: face, pen: pen, clock: clock.text).draw(in: canvas)
      }
      canvas.bytes.initializeMemory(as: UInt8.self, repeating: 0)
      picture?.draw(in: canvas.bytes, canvas.size)
      LockDrawing.drawFrame(in: canvas)
    }
  }

  /// Copies the frame that the host holds, if an output can show it.
  private func takePending() {
    guard let sequence = pending else { return }
    guard let ring, let picture else { return letGo() }
    guard lock.isWanting else { return }
    let isWhole = FramePixels.copy(ring.pixels(ofFrame: sequence), ring.geometry, asBGRX: picture.bytes)
    letGo()
    guard isWhole else { return }
    frames.note(sequence, at: MonotonicClock.now)
    lock.change()
  }

  private func letGo() {
    guard pending != nil else { return }
    pending = nil
    link.letGo()
  }
}
