// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxEnforcement
internal import ViewfinderLink

/// Shows frame after frame in a window, until the host says that it is over.
final class WindowShow {
  private let link: HostLink
  /// The window; nil: the person has closed it.
  private var window: WaylandWindow?
  private var ring: PreviewWindow?
  /// The frame that the host holds.
  private var pending: UInt64?
  /// What is shown; nil: there is no ring yet.
  private var picture: WindowPicture?
  private var frames = ShownFrames()
  private var state = "starting"
  /// What is said of the session.
  private var news = ""
  /// What writes that where the compositor does not; nil: nothing does.
  private let pen: LetterPen?
  /// When the title is due, if it can have changed.
  private var nextTitle: UInt64? = 0

  /// How often the title changes, in nanoseconds.
  private static let titleInterval: UInt64 = 500_000_000
  /// How large a window is at most that nobody wants of another size.
  private static let ownSize = PictureSize(width: 1280, height: 960)
  /// How long the compositor may take for the last title, in nanoseconds.
  private static let farewell: UInt64 = 200_000_000

  /// Shows what comes from a host in a window.
  init(_ link: HostLink, _ window: WaylandWindow) {
    self.link = link
    self.window = window
    // While the host prepares the session: when a picture comes nothing can be opened any more. A compositor that draws
    // frames can stop to at any time.
    pen = LetterPen(LetterFonts.find())
  }

  /// The title that a window has at first.
  static func title(_ news: String) -> String { "Darkroom: \(news)" }

  /// Runs to the end; the exit code.
  func run() -> Int32 {
    while true {
      let watched: [(descriptor: Int32, interest: Readiness)] = [
        (link.readable, .readable), (window?.readable ?? -1, .readable), (window?.writable ?? -1, .writable),
      ]
      let deadline = window == nil ? nil : nextTitle
      guard (try? Poller.wait(watched, until: deadline)) != nil else { return 1 }
      while let message = link.next() {
        if let code = take(message) { return code }
      }
      do throws(WaylandFault) { try look() } catch { return lose(error) }
    }
  }

  /// Takes a message; gives the exit code if it is the last.
  private func take(_ message: HostLink.Message) -> Int32? {
    switch message {
    case .ring(let window):
      guard FramePixels.prepare() else { return HelperExit.unprepared }
      // Before anything is looked at that an extension has drawn.
      let calls = HelperConfinement.window(compositor: self.window?.readable ?? -1)
      guard (try? HelperConfinement.enter(allowing: calls)) != nil else { return HelperExit.unconfined }
      ring = window
      picture = WindowPicture(PictureSize(width: window.geometry.width, height: window.geometry.height))
    case .frame(let sequence):
      pending = sequence
      // Nobody sees it.
      if window == nil { letGo() }
    case .state(let word): (state, nextTitle) = (word, 0)
    case .end(let outcome):
      end(outcome)
      return 0
    case .gone: return 1
    case .terminal, .pause, .face, .unlock: break
    }
    return nil
  }

  /// Does what the window needs.
  private func look() throws(WaylandFault) {
    guard let window else { return }
    try window.exchange()
    guard !window.isClosed else {
      // With the connection, all that the compositor has of it goes.
      self.window = nil
      link.closed()
      letGo()
      return
    }
    window.takeStrokes(link.pass)
    try showPending(window)
    setTitle(window)
    if window.isStale, let picture { _ = try window.show(picture, size: ownSize(picture), status(window)) }
    try window.exchange()
  }

  /// Shows the frame that the host holds, if somebody sees it.
  private func showPending(_ window: WaylandWindow) throws(WaylandFault) {
    guard let sequence = pending, let ring, let picture, window.isWanting else { return }
    let isWhole = FramePixels.copy(ring.pixels(ofFrame: sequence), ring.geometry, asBGRX: picture.bytes)
    letGo()
    guard isWhole, try window.show(picture, size: ownSize(picture), status(window)) else { return }
    let now = MonotonicClock.now
    frames.note(sequence, at: now)
    if nextTitle == nil { nextTitle = now + Self.titleInterval }
  }

  /// The size of a window that nobody wants of another: that of the picture, if it is not too large.
  private func ownSize(_ picture: WindowPicture) -> PictureSize {
    let fitting = Self.ownSize.fitting(picture.size)
    let isTooLarge = fitting.width < picture.size.width || fitting.height < picture.size.height
    return isTooLarge ? fitting : picture.size
  }

  private func letGo() {
    guard pending != nil else { return }
    pending = nil
    link.letGo()
  }

  private func setTitle(_ window: WaylandWindow) {
    let now = MonotonicClock.now
    guard let nextTitle, now >= nextTitle else { return }
    tell(frames.news(state, at: now), window)
    // Until it says that no frame comes any more.
    self.nextTitle = frames.tenths(at: now) > 0 ? now + Self.titleInterval : nil
  }

  /// Says something of the session, in the title, and below the picture where nobody sees the title.
  private func tell(_ news: String, _ window: WaylandWindow) {
    guard news != self.news else { return }
    self.news = news
    window.setTitle(Self.title(news))
    if !window.hasFrame, pen != nil { window.redraw() }
  }

  /// What stands below the picture.
  private func status(_ window: WaylandWindow) -> WindowStatus? {
    window.hasFrame ? nil : pen.map { WindowStatus(pen: $0, text: news) }
  }

  private func end(_ outcome: String) {
    if let window, !outcome.isEmpty {
      tell(outcome, window)
      if window.isStale, let picture { _ = try? window.show(picture, size: ownSize(picture), status(window)) }
      // One that is gone before it is read is never shown.
      do throws(WaylandFault) { try window.roundTrip(until: MonotonicClock.now + Self.farewell) } catch {}
    }
    link.total(frames.total)
  }

  /// There is no window any more, and nobody has closed it.
  private func lose(_ fault: WaylandFault) -> Int32 {
    link.total(frames.total)
    return HelperExit.code(fault)
  }
}
