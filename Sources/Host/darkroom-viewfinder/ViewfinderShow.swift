// SPDX-License-Identifier: Apache-2.0

internal import CChafa
internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxEnforcement
internal import ViewfinderLink

/// Shows frame after frame, until the host says that it is over.
final class ViewfinderShow {
  private let link: HostLink
  private let picture: CharacterPicture
  /// The process of the host.
  private let host: Int32
  /// Which keys there are.
  private let keys: String
  private var screen: TerminalScreen?
  private var ring: PreviewWindow?
  /// The frame that the host holds.
  private var pending: UInt64?
  /// The pixels that were shown last.
  private var pixels: CharacterPicture.Pixels?
  private var frames = ShownFrames()
  private var state = "starting"
  private var isPaused = false
  private var size: TerminalSize?
  private var nextLine: UInt64 = 0
  private var nextLook: UInt64 = 0
  /// Whether what the terminal shows is not of its size, or not there yet.
  private var isStale = false

  /// How often the terminal is looked at while nothing happens, in nanoseconds.
  private static let interval: UInt64 = 50_000_000
  /// How often the line below the picture is written, in nanoseconds.
  private static let lineInterval: UInt64 = 250_000_000
  /// The most characters of the line below the picture.
  private static let longestLine = 640
  /// The exit code that says that this program could not be confined.
  private static let unconfined: Int32 = 71
  /// The one that says that the library that calculates pixels is not there.
  private static let unprepared: Int32 = 72
  /// How long the terminal may take for the last words, in nanoseconds.
  private static let farewell: UInt64 = 1_000_000_000

  /// Shows what comes from a host.
  init(_ link: HostLink, _ style: PictureStyle, host: Int32, keys: String) {
    self.link = link
    picture = CharacterPicture(style: style)
    self.host = host
    self.keys = keys
  }

  deinit { pixels?.bytes.deallocate() }

  /// Whether the terminal is this program's for now.
  private var isShowing: Bool { screen?.isEntered == true }

  /// Runs to the end; the exit code.
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
      if screen?.isGone == true { return 1 }
      lookAtTerminal()
      redraw()
      showPending()
      showLine()
    }
  }

  /// Takes a message; gives the exit code if it is the last.
  private func take(_ message: HostLink.Message) -> Int32? {
    switch message {
    case .terminal(let terminal, let keys):
      screen = TerminalScreen(terminal, keys, host: host)
      if screen == nil { return 1 }
    case .ring(let window):
      nextLook = 0
      guard FramePixels.prepare() else { return Self.unprepared }
      // Before anything is looked at that an extension has drawn.
      picture.prepare()
      guard (try? HelperConfinement.enter(allowing: HelperConfinement.viewfinder)) != nil else {
        return Self.unconfined
      }
      ring = window
    case .frame(let sequence): pending = sequence
    case .state(let word): (state, nextLine) = (word, 0)
    case .pause(let isPaused):
      self.isPaused = isPaused
      nextLook = 0
      if isPaused {
        leave()
        screen?.finish(until: MonotonicClock.now + Self.farewell)
        link.left()
      }
    case .end(let outcome): return end(outcome)
    case .face, .unlock: break
    case .gone:
      screen?.restoreKeys()
      leave()
      screen?.finish(until: MonotonicClock.now + Self.farewell)
      return 1
    }
    return nil
  }

  private func end(_ outcome: String) -> Int32 {
    guard let screen else { return 0 }
    let isBehind = screen.isBehind
    leave()
    // Whoever is in front of it now has not asked how it went.
    if !outcome.isEmpty, !isBehind { screen.write(Array("\(frames.total); \(outcome)\r\n".utf8)) }
    screen.finish(until: MonotonicClock.now + Self.farewell)
    return screen.writable == nil ? 0 : 1
  }

  private func leave() { screen?.leave(showingPictures: picture.style.mode == CHAFA_PIXEL_MODE_KITTY) }

  /// Leaves the terminal to whoever is in front of it, and draws anew when its size has changed.
  private func lookAtTerminal() {
    // Before there is a ring somebody may still have something to say to the person.
    guard let screen, ring != nil else { return }
    // A picture that goes out in a thousand pieces is no reason to look as often.
    let now = MonotonicClock.now
    guard now >= nextLook else { return }
    nextLook = now + Self.interval
    guard !isPaused, !screen.isBehind else { return leave() }
    let isNew = !screen.isEntered
    screen.enter()
    let size = screen.size
    guard isNew || size != self.size else { return }
    self.size = size
    isStale = true
  }

  /// Shows the frame that the host holds, if the terminal has taken all before it.
  private func showPending() {
    guard isShowing, let screen, screen.writable == nil, let sequence = pending, let ring else { return }
    pending = nil
    let geometry = ring.geometry
    let pixels = self.pixels ?? Self.room(width: geometry.width, height: geometry.height)
    self.pixels = pixels
    let isWhole = FramePixels.copy(ring.pixels(ofFrame: sequence), geometry, asRGB: pixels.bytes)
    link.letGo()
    guard isWhole else { return }
    frames.note(sequence, at: MonotonicClock.now)
    draw()
  }

  private static func room(width: Int, height: Int) -> CharacterPicture.Pixels {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 * width * height, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    return CharacterPicture.Pixels(bytes: bytes, width: width, height: height)
  }

  /// Draws anew what the terminal shows in another size than it has, as soon as it has taken all before that.
  private func redraw() {
    guard isStale, isShowing, let screen, screen.writable == nil else { return }
    isStale = false
    nextLine = 0
    draw(on: TerminalScreen.blank)
  }

  private func draw(on ground: String = "") {
    guard let screen, screen.writable == nil, let size else { return }
    var text: [UInt8] = []
    if let pixels, frames.shown > 0 { text = picture.text(pixels, in: size) }
    // The terminal shows nothing of it before it has all (synchronized output); others ignore that.
    screen.write(Array("\u{1B}[?2026h\(ground)".utf8) + text + Array("\u{1B}[0m\u{1B}[?2026l".utf8))
  }

  private func showLine() {
    let now = MonotonicClock.now
    guard isShowing, let screen, screen.writable == nil, let size, now >= nextLine else { return }
    nextLine = now + Self.lineInterval
    let columns = min(size.columns, Self.longestLine)
    let text = " \(frames.news(state, at: now))   \(keys)".prefix(columns)
    let rest = String(repeating: " ", count: max(0, columns - text.count))
    screen.write(Array("\u{1B}[\(size.rows);1H\u{1B}[0;7m\(text)\(rest)\u{1B}[0m".utf8))
  }
}
