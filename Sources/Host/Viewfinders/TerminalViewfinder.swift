// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import CaptureHost
package import LinuxPrimitives
internal import ViewfinderLink

/// Shows a viewfinder in a terminal, by a program beside this one: `darkroom-viewfinder`.
///
/// Its libraries would slow the start of every command. It is told of the terminal first, then of the ring and of each
/// frame, which is held until it is done with it; and says when it has left the terminal to somebody else.
package final class TerminalViewfinder: PreviewScreen {
  /// The name of the program, which lies beside this one.
  package static let program = "darkroom-viewfinder"
  /// How long the program may take to leave the terminal, in nanoseconds.
  private static let farewell: UInt64 = 1_500_000_000
  /// How long it may take from the end of its connection to its own, in nanoseconds.
  private static let decay: UInt64 = 500_000_000
  /// How long it may take until a terminal has room for what makes it as it was, in nanoseconds.
  private static let room: UInt64 = 200_000_000
  /// What makes a terminal as it was, whatever it was in the middle of: no sequence, no picture's screen, a cursor.
  private static let restoration =
    "\u{18}\u{1B}\\\u{1B}_Ga=d,d=A,q=2\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let terminal: HeldDescriptor
  private let helper: ViewfinderHelper
  /// Is told in a sentence that nothing is shown any more, although the session goes on.
  package var whenLost: (String) -> Void = { _ in }
  /// Whether the program has a ring, without which it leaves the terminal alone.
  private var hasRing = false
  /// Whether a frame is on its way.
  package private(set) var isBusy = false
  /// How long the program may take to leave the terminal to somebody else, in nanoseconds.
  package var patience: UInt64 = 5_000_000_000
  /// How many want the terminal for themselves now: whoever asks the person, a stop of the host.
  private var pauses = 0

  private init(_ terminal: HeldDescriptor, _ helper: ViewfinderHelper) {
    self.terminal = terminal
    self.helper = helper
  }

  deinit { end(nil) }

  /// Whether the program can be told anything any more.
  package var isOpen: Bool { helper.isOpen }

  /// Begins to show that there is a session. `terminal` is a terminal's number, which is duplicated. `keys` says which
  /// keys there are; empty: none. `beside` is the directory of the program; nil: that of this one.
  package static func start(
    on terminal: Int32,
    _ ability: TerminalAbility,
    keys: String,
    beside directory: String? = nil
  ) throws(SystemCallError) -> TerminalViewfinder {
    let own = HeldDescriptor(try open(terminal))
    let words = [ability.graphics.rawValue, ability.colours.rawValue, "\(CurrentProcess.processID)", keys]
    let helper = try ViewfinderHelper.start(program, words, errors: own.rawValue, in: directory)
    let viewfinder = TerminalViewfinder(own, helper)
    let state = TerminalState.of(terminal)?.bytes ?? []
    viewfinder.send(.terminal, bytes: state, [own.rawValue])
    return viewfinder
  }

  /// Opens a terminal anew, so that writing to it never waits, and nobody can read there; one that is somebody else's, as
  /// after su(1), as it is.
  private static func open(_ terminal: Int32) throws(SystemCallError) -> Descriptor {
    let path = "/proc/self/fd/\(terminal)"
    if let own = try? FileSystem.open(path, [.write, .nonBlocking, .noTerminal]) { return own }
    return try Descriptor.duplicate(of: terminal)
  }

  package var writable: Int32? { nil }
  package var readable: Int32? { isOpen ? helper.readable : nil }

  package func begin(_ ring: PreviewRing) {
    guard isOpen else { return }
    hasRing = take(helper.offer(ring))
  }

  package func show(_ frame: PreviewRing.Frame) {
    guard isOpen, !isBusy else { return }
    isBusy = send(.frame, "\(frame.sequence)")
  }

  package func tell(_ state: PreviewState) { send(.state, state.rawValue) }

  /// Takes what the program has said.
  package func flush() {
    let goesOn = helper.takeMessages { word, _ in
      if word == .done { isBusy = false }
    }
    if !goesOn { lose() }
  }

  package func finish() {
    flush()
    isBusy = false
  }

  /// How the terminal is while somebody else has it, so that it can be made so again; nil: nobody has.
  var lentState: TerminalState? { pauses > 0 ? TerminalState.of(terminal.rawValue) : nil }
  /// Whether another group of processes is in front of the terminal.
  var isBehind: Bool { CurrentProcess.isBehind(terminal.rawValue) }

  /// Leaves the terminal to somebody else, who may write there as soon as this returns; or takes it again when everybody
  /// has given it back. A program that does not leave it is ended.
  package func pause(_ isPaused: Bool) {
    pauses += isPaused ? 1 : -1
    guard pauses == (isPaused ? 1 : 0), send(isPaused ? .pause : .resume, ""), isPaused else { return }
    let end = MonotonicClock.now + patience
    while isOpen {
      guard case .message(let word, _) = helper.next(until: end) else { return lose() }
      if word == .left { return }
      if word == .done { isBusy = false }
    }
  }

  /// Leaves the terminal as it was, with a line that says how the session went; nil: with none.
  package func end(_ outcome: String?) {
    guard helper.isRunning else { return }
    send(.end, outcome ?? "")
    _ = conclude(within: Self.farewell)
  }

  /// The program has ended by itself, or cannot go on: the terminal is put right, and the session goes on.
  private func lose() {
    guard helper.isRunning else { return }
    let how = ViewfinderHelper.words(conclude(within: Self.decay))
    whenLost("the viewfinder is not shown any more: \(how); the session goes on")
  }

  /// Waits for the end of the program so long, in nanoseconds, and makes the terminal as it was if it has not done that
  /// itself; how it has ended, nil: it was ended.
  private func conclude(within time: UInt64) -> ExitStatus? {
    isBusy = false
    guard helper.isRunning else { return nil }
    let status = helper.conclude(within: time)
    switch status {
    // It has put the terminal right, or has shown nothing there.
    case .exited(0), .exited(ViewfinderHelper.unconfined), .exited(ViewfinderHelper.unprepared): break
    default: if hasRing { restore() }
    }
    return status
  }

  /// Makes the terminal as it was, unless whoever is in front of it now has it as they need it.
  private func restore() {
    guard !isBehind else { return }
    if !hasRoom(until: MonotonicClock.now + Self.room) {
      // The rest of a picture, which the terminal does not take, is in the way.
      TerminalMode.forgetOutput(terminal.rawValue)
      guard hasRoom(until: MonotonicClock.now) else { return }
    }
    try? Descriptor.write(Array(Self.restoration.utf8), toNumber: terminal.rawValue)
  }

  private func hasRoom(until end: UInt64) -> Bool {
    (try? Poller.wait([(terminal.rawValue, .writable)], until: end))?[0].contains(.writable) ?? false
  }

  /// Sends a message; whether it has gone out. A program that has ended is told nothing any more.
  @discardableResult
  private func send(_ word: HostWord, _ text: String, _ descriptors: [Int32] = []) -> Bool {
    send(word, bytes: Array(text.utf8), descriptors)
  }

  @discardableResult
  private func send(_ word: HostWord, bytes: [UInt8], _ descriptors: [Int32] = []) -> Bool {
    isOpen && take(helper.send(word, bytes, descriptors))
  }

  /// Takes notice of what has become of a message; whether it has gone out.
  private func take(_ sending: ViewfinderHelper.Sending) -> Bool {
    if sending == .lost { lose() }
    return sending == .sent
  }
}
