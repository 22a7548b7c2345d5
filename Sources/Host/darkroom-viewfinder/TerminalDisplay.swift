// SPDX-License-Identifier: Apache-2.0

internal import CChafa
internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxEnforcement
internal import ViewfinderLink

/// Shows frames in a terminal until the host ends the viewfinder.
final class TerminalDisplay {
  private let link: HostLink
  private let encoder: TerminalImageEncoder
  /// The PID of the host.
  private let host: Int32
  /// The description of the keys.
  private let keys: String
  private var screen: TerminalScreen?
  private var ring: PreviewObserver?
  /// The number of the frame that the host holds, or `nil`.
  private var pending: UInt64?
  /// The pixels of the last shown frame.
  private var pixels: TerminalImageEncoder.Pixels?
  private var frames = FrameStatistics()
  private var state = "starting"
  private var isPaused = false
  private var size: TerminalSize?
  private var nextLine: UInt64 = 0
  private var nextTerminalCheck: UInt64 = 0
  /// Whether the image on the terminal is missing or has the wrong size.
  private var needsRedraw = false

  /// The interval of terminal checks, in nanoseconds.
  private static let interval: UInt64 = 50_000_000
  /// The minimum interval between updates of the status line, in nanoseconds.
  private static let lineInterval: UInt64 = 250_000_000
  /// The maximum length of the status line, in characters.
  private static let longestLine = 640
  /// The exit code if this program could not be confined.
  private static let confinementFailed: Int32 = 71
  /// The exit code if the library for pixel conversion is unavailable.
  private static let libraryUnavailable: Int32 = 72
  /// The time limit for the last output, in nanoseconds.
  private static let closeTimeout: UInt64 = 1_000_000_000

  /// Creates a viewfinder that shows the frames of a host.
  init(_ link: HostLink, _ style: ImageStyle, host: Int32, keys: String) {
    self.link = link
    encoder = TerminalImageEncoder(style: style)
    self.host = host
    self.keys = keys
  }

  deinit { pixels?.bytes.deallocate() }

  /// Whether the viewfinder is visible in the terminal.
  private var isShowing: Bool { screen?.isEntered == true }

  /// Runs until the end, and returns the exit code.
  func run() -> Int32 {
    while true {
      let watched: [(descriptor: Int32, interest: Readiness)] = [
        (link.readable, .readable), (screen?.writable ?? -1, .writable),
      ]
      guard (try? Poller.wait(watched, until: MonotonicClock.now + Self.interval)) != nil else { return 1 }
      while let message = link.next() {
        if let code = take(message) { return code }
      }
      screen?.flush()
      if screen?.isClosed == true { return 1 }
      updateTerminal()
      redraw()
      showPending()
      showLine()
    }
  }

  /// Handles a message. Returns the exit code if it is the last message.
  private func take(_ message: HostLink.Message) -> Int32? {
    switch message {
    case .terminal(let terminal, let keys):
      screen = TerminalScreen(terminal, keys, host: host)
      if screen == nil { return 1 }
    case .ring(let window):
      nextTerminalCheck = 0
      guard RGBConversion.loadLibrary() else { return Self.libraryUnavailable }
      // Initialization must precede the first access to data from an extension.
      encoder.prepare()
      guard (try? HelperConfinement.enter(allowing: HelperConfinement.viewfinder)) != nil else {
        return Self.confinementFailed
      }
      ring = window
    case .frame(let sequence): pending = sequence
    case .state(let word): (state, nextLine) = (word, 0)
    case .pause(let isPaused):
      self.isPaused = isPaused
      nextTerminalCheck = 0
      if isPaused {
        leave()
        screen?.finish(until: MonotonicClock.now + Self.closeTimeout)
        link.reportTerminalReleased()
      }
    case .end(let outcome): return end(outcome)
    case .lockScreen, .unlock: break
    case .disconnected:
      screen?.restoreKeys()
      leave()
      screen?.finish(until: MonotonicClock.now + Self.closeTimeout)
      return 1
    }
    return nil
  }

  private func end(_ outcome: String) -> Int32 {
    guard let screen else { return 0 }
    let isInBackground = screen.isInBackground
    leave()
    // The program in the foreground should not receive the outcome as output.
    if !outcome.isEmpty, !isInBackground { screen.write(Array("\(frames.summary); \(outcome)\r\n".utf8)) }
    screen.finish(until: MonotonicClock.now + Self.closeTimeout)
    return screen.writable == nil ? 0 : 1
  }

  private func leave() { screen?.leave(showingPictures: encoder.style.mode == CHAFA_PIXEL_MODE_KITTY) }

  /// Releases the terminal if this process is in the background, and redraws the image after a size change.
  private func updateTerminal() {
    // Before there is a ring, another program may still prompt the user.
    guard let screen, ring != nil else { return }
    // Many small writes must not increase the rate of these checks.
    let now = MonotonicClock.now
    guard now >= nextTerminalCheck else { return }
    nextTerminalCheck = now + Self.interval
    guard !isPaused, !screen.isInBackground else { return leave() }
    let isNew = !screen.isEntered
    screen.enter()
    let size = screen.size
    guard isNew || size != self.size else { return }
    self.size = size
    needsRedraw = true
  }

  /// Shows the frame that the host holds, if all earlier output was written.
  private func showPending() {
    guard isShowing, let screen, screen.writable == nil, let sequence = pending, let ring else { return }
    pending = nil
    let geometry = ring.geometry
    let pixels = self.pixels ?? Self.allocatePixels(width: geometry.width, height: geometry.height)
    self.pixels = pixels
    let isWhole = RGBConversion.copy(ring.pixels(ofFrame: sequence), geometry, asRGB: pixels.bytes)
    link.releaseFrame()
    guard isWhole else { return }
    frames.record(sequence, at: MonotonicClock.now)
    draw()
  }

  private static func allocatePixels(width: Int, height: Int) -> TerminalImageEncoder.Pixels {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 * width * height, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    return TerminalImageEncoder.Pixels(bytes: bytes, width: width, height: height)
  }

  /// Redraws the image after a size change, as soon as all earlier output was written.
  private func redraw() {
    guard needsRedraw, isShowing, let screen, screen.writable == nil else { return }
    needsRedraw = false
    nextLine = 0
    draw(on: TerminalScreen.blank)
  }

  private func draw(on ground: String = "") {
    guard let screen, screen.writable == nil, let size else { return }
    var text: [UInt8] = []
    if let pixels, frames.shown > 0 { text = encoder.text(pixels, in: size) }
    // Synchronized output: the terminal shows the image only when it is complete. Other terminals ignore
    // this.
    screen.write(Array("\u{1B}[?2026h\(ground)".utf8) + text + Array("\u{1B}[0m\u{1B}[?2026l".utf8))
  }

  private func showLine() {
    let now = MonotonicClock.now
    guard isShowing, let screen, screen.writable == nil, let size, now >= nextLine else { return }
    nextLine = now + Self.lineInterval
    let columns = min(size.columns, Self.longestLine)
    let text = " \(frames.statusLine(state, at: now))   \(keys)".prefix(columns)
    let rest = String(repeating: " ", count: max(0, columns - text.count))
    screen.write(Array("\u{1B}[\(size.rows);1H\u{1B}[0;7m\(text)\(rest)\u{1B}[0m".utf8))
  }
}
