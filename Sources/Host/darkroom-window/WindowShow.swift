// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxEnforcement
internal import ViewfinderLink

/// Shows frames in a window until the host ends the viewfinder.
final class WindowShow {
  private let link: HostLink
  /// The window, or `nil` after the user closed it.
  private var window: WaylandWindow?
  private var ring: PreviewWindow?
  /// The number of the frame that the host holds, or `nil`.
  private var pending: UInt64?
  /// The image, or `nil` before there is a ring.
  private var picture: WindowPicture?
  private var frames = ShownFrames()
  private var state = "starting"
  /// The status of the session as text.
  private var news = ""
  /// The renderer for the status if the compositor does not show the title, or `nil` without fonts.
  private let pen: LetterPen?
  /// The time of the next title update, or `nil` if the title cannot have changed.
  private var nextTitle: UInt64? = 0

  /// The minimum interval between title updates, in nanoseconds.
  private static let titleInterval: UInt64 = 500_000_000
  /// The maximum default size of a window.
  private static let ownSize = PictureSize(width: 1280, height: 960)
  /// The time limit for the last title, in nanoseconds.
  private static let farewell: UInt64 = 200_000_000

  /// Creates a viewfinder that shows the frames of a host in a window.
  init(_ link: HostLink, _ window: WaylandWindow) {
    self.link = link
    self.window = window
    // Fonts are opened now, because no file can be opened after the first frame. They are needed even if the
    // compositor draws decorations, because it can stop doing so at any time.
    pen = LetterPen(LetterFonts.find())
  }

  /// Returns the title of a window with a status.
  static func title(_ news: String) -> String { "Darkroom: \(news)" }

  /// Runs until the end, and returns the exit code.
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

  /// Handles a message. Returns the exit code if it is the last message.
  private func take(_ message: HostLink.Message) -> Int32? {
    switch message {
    case .ring(let window):
      guard FramePixels.prepare() else { return HelperExit.unprepared }
      // Confinement must precede the first access to data from an extension.
      let calls = HelperConfinement.window(compositor: self.window?.readable ?? -1)
      guard (try? HelperConfinement.enter(allowing: calls)) != nil else { return HelperExit.unconfined }
      ring = window
      picture = WindowPicture(PictureSize(width: window.geometry.width, height: window.geometry.height))
    case .frame(let sequence):
      pending = sequence
      // The window is closed, so the frame is not shown.
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

  /// Processes events of the window, and redraws it.
  private func look() throws(WaylandFault) {
    guard let window else { return }
    try window.exchange()
    guard !window.isClosed else {
      // Closing the connection deletes all of its objects in the compositor.
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

  /// Shows the frame that the host holds, if the window can show it.
  private func showPending(_ window: WaylandWindow) throws(WaylandFault) {
    guard let sequence = pending, let ring, let picture, window.isWanting else { return }
    let isWhole = FramePixels.copy(ring.pixels(ofFrame: sequence), ring.geometry, asBGRX: picture.bytes)
    letGo()
    guard isWhole, try window.show(picture, size: ownSize(picture), status(window)) else { return }
    let now = MonotonicClock.now
    frames.note(sequence, at: now)
    if nextTitle == nil { nextTitle = now + Self.titleInterval }
  }

  /// Returns the default size of the window: the size of the image, scaled down if it is too large.
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
    // Updated until the frame rate is reported as zero.
    self.nextTitle = frames.tenths(at: now) > 0 ? now + Self.titleInterval : nil
  }

  /// Shows a status in the title, and below the image if the title is not visible.
  private func tell(_ news: String, _ window: WaylandWindow) {
    guard news != self.news else { return }
    self.news = news
    window.setTitle(Self.title(news))
    if !window.hasFrame, pen != nil { window.redraw() }
  }

  /// Returns the status bar, or `nil` if the compositor shows the title or fonts are missing.
  private func status(_ window: WaylandWindow) -> WindowStatus? {
    window.hasFrame ? nil : pen.map { WindowStatus(pen: $0, text: news) }
  }

  private func end(_ outcome: String) {
    if let window, !outcome.isEmpty {
      tell(outcome, window)
      if window.isStale, let picture { _ = try? window.show(picture, size: ownSize(picture), status(window)) }
      // If the connection were closed before the compositor has read the request, the outcome would never be
      // shown.
      do throws(WaylandFault) { try window.roundTrip(until: MonotonicClock.now + Self.farewell) } catch {}
    }
    link.total(frames.total)
  }

  /// Reports the summary after the window was lost without the user closing it. Returns the exit code.
  private func lose(_ fault: WaylandFault) -> Int32 {
    link.total(frames.total)
    return HelperExit.code(fault)
  }
}
