// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxEnforcement
internal import ViewfinderLink

/// Shows frames in a window until the host ends the viewfinder.
final class WindowDisplay {
  private let link: HostLink
  /// The window, or `nil` after the user closed it.
  private var window: WaylandWindow?
  private var ring: PreviewObserver?
  /// The number of the frame that the host holds, or `nil`.
  private var pending: UInt64?
  /// The image, or `nil` before there is a ring.
  private var image: WindowImage?
  private var frames = FrameStatistics()
  private var state = "starting"
  /// The status of the session as text.
  private var statusText = ""
  /// The renderer for the status if the compositor does not show the title, or `nil` without fonts.
  private let textRenderer: TextRenderer?
  /// The time of the next title update, or `nil` if the title cannot have changed.
  private var nextTitle: UInt64? = 0

  /// The minimum interval between title updates, in nanoseconds.
  private static let titleInterval: UInt64 = 500_000_000
  /// The maximum default size of a window.
  private static let defaultSize = ImageSize(width: 1280, height: 960)
  /// The time limit for the last title, in nanoseconds.
  private static let closeTimeout: UInt64 = 200_000_000

  /// Creates a viewfinder that shows the frames of a host in a window.
  init(_ link: HostLink, _ window: WaylandWindow) {
    self.link = link
    self.window = window
    // Fonts are opened now, because no file can be opened after the first frame. They are needed even if the
    // compositor draws decorations, because it can stop doing so at any time.
    textRenderer = TextRenderer(FontFinder.find())
  }

  /// Returns the title of a window with a status.
  static func title(_ statusText: String) -> String { "Darkroom: \(statusText)" }

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
      do throws(WaylandError) { try update() } catch { return lose(error) }
    }
  }

  /// Handles a message. Returns the exit code if it is the last message.
  private func take(_ message: HostLink.Message) -> Int32? {
    switch message {
    case .ring(let window):
      guard RGBConversion.loadLibrary() else { return HelperExit.libraryUnavailable }
      // Confinement must precede the first access to data from an extension.
      let calls = HelperConfinement.window(compositor: self.window?.readable ?? -1)
      guard (try? HelperConfinement.enter(allowing: calls)) != nil else {
        return HelperExit.confinementFailed
      }
      ring = window
      image = WindowImage(ImageSize(width: window.geometry.width, height: window.geometry.height))
    case .frame(let sequence):
      pending = sequence
      // The window is closed, so the frame is not shown.
      if window == nil { releaseFrame() }
    case .state(let word): (state, nextTitle) = (word, 0)
    case .end(let outcome):
      end(outcome)
      return 0
    case .disconnected: return 1
    case .terminal, .pause, .lockScreen, .unlock: break
    }
    return nil
  }

  /// Processes events of the window, and redraws it.
  private func update() throws(WaylandError) {
    guard let window else { return }
    try window.exchange()
    guard !window.isClosed else {
      // Closing the connection deletes all of its objects in the compositor.
      self.window = nil
      link.reportClosed()
      releaseFrame()
      return
    }
    window.takeKeyEvents(link.pass)
    for change in window.takeContactChanges() {
      guard let image, let area = window.imageArea, let packet = image.packet(change, in: area) else {
        continue
      }
      link.reportPointer(packet)
    }
    try showPending(window)
    setTitle(window)
    if window.needsDisplay, let image { _ = try window.show(image, size: defaultSize(image), status(window)) }
    try window.exchange()
  }

  /// Shows the frame that the host holds, if the window can show it.
  private func showPending(_ window: WaylandWindow) throws(WaylandError) {
    guard let sequence = pending, let ring, let image, window.canShowFrame else { return }
    let isWhole = RGBConversion.copy(ring.pixels(ofFrame: sequence), ring.geometry, asBGRX: image.bytes)
    releaseFrame()
    guard isWhole, try window.show(image, size: defaultSize(image), status(window)) else { return }
    let now = MonotonicClock.now
    frames.record(sequence, at: now)
    if nextTitle == nil { nextTitle = now + Self.titleInterval }
  }

  /// Returns the default size of the window: the size of the image, scaled down if it is too large.
  private func defaultSize(_ image: WindowImage) -> ImageSize {
    let fitting = Self.defaultSize.fitting(image.size)
    let isTooLarge = fitting.width < image.size.width || fitting.height < image.size.height
    return isTooLarge ? fitting : image.size
  }

  private func releaseFrame() {
    guard pending != nil else { return }
    pending = nil
    link.releaseFrame()
  }

  private func setTitle(_ window: WaylandWindow) {
    let now = MonotonicClock.now
    guard let nextTitle, now >= nextTitle else { return }
    tell(frames.statusLine(state, at: now), window)
    // Updated until the frame rate is reported as zero.
    self.nextTitle = frames.frameRateTenths(at: now) > 0 ? now + Self.titleInterval : nil
  }

  /// Shows a status in the title, and below the image if the title is not visible.
  private func tell(_ statusText: String, _ window: WaylandWindow) {
    guard statusText != self.statusText else { return }
    self.statusText = statusText
    window.setTitle(Self.title(statusText))
    if !window.hasFrame, textRenderer != nil { window.redraw() }
  }

  /// Returns the status bar, or `nil` if the compositor shows the title or fonts are missing.
  private func status(_ window: WaylandWindow) -> WindowStatusBar? {
    window.hasFrame ? nil : textRenderer.map { WindowStatusBar(textRenderer: $0, text: statusText) }
  }

  private func end(_ outcome: String) {
    if let window, !outcome.isEmpty {
      tell(outcome, window)
      if window.needsDisplay, let image {
        _ = try? window.show(image, size: defaultSize(image), status(window))
      }
      // If the connection were closed before the compositor has read the request, the outcome would never be
      // shown.
      do throws(WaylandError) { try window.roundTrip(until: MonotonicClock.now + Self.closeTimeout) } catch {}
    }
    link.reportSummary(frames.summary)
  }

  /// Reports the summary after the window was lost without the user closing it. Returns the exit code.
  private func lose(_ fault: WaylandError) -> Int32 {
    link.reportSummary(frames.summary)
    return HelperExit.code(fault)
  }
}
