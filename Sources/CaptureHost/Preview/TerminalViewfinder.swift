// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives

/// Shows a viewfinder in a terminal, by a program beside this one: `darkroom-viewfinder`.
///
/// What makes characters of pictures stays out of the host: it takes time and memory, and its libraries would slow the
/// start of every command. Each message is one packet. The host's are a letter and a text: `t` (the terminal, with its
/// descriptor, and how it gave keys before), `g` (the ring has this header; with its descriptor), `f` (show the frame
/// with this number, which is held), `s` (the session's state), `p` and `r` (leave the terminal to somebody else, and
/// take it again), `e` (the end, and the outcome). The program answers `d` when a frame can be drawn over, and `p` when
/// it has left the terminal.
package final class TerminalViewfinder: PreviewScreen {
  /// The name of the program, which lies beside this one.
  package static let program = "darkroom-viewfinder"
  /// How long the program may take to leave the terminal, in nanoseconds.
  private static let farewell: UInt64 = 1_500_000_000
  /// How long it may take from the end of its connection to its own, in nanoseconds.
  private static let decay: UInt64 = 500_000_000
  /// The exit code by which it says that it could not be confined.
  private static let unconfined: Int32 = 71
  /// What makes a terminal as it was, whatever it was in the middle of: no sequence, no picture's screen, a cursor.
  private static let restoration =
    "\u{18}\u{1B}\\\u{1B}_Ga=d,d=A,q=2\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  /// How many messages of the program are heard in one turn of the session, so that it can keep nobody busy.
  private static let mostAtOnce = 16

  private let channel: HeldDescriptor
  private let terminal: HeldDescriptor
  /// Its process; nil: it has ended.
  private var helper: HelperProgram?
  /// Is told in a sentence that nothing is shown any more, although the session goes on.
  package var whenLost: (String) -> Void = { _ in }
  /// Whether the program has a ring, without which it leaves the terminal alone.
  private var hasRing = false
  /// Whether a frame is on its way.
  package private(set) var isBusy = false
  /// Whether the program can be told anything any more.
  package private(set) var isOpen = true
  /// How long the program may take to leave the terminal to somebody else, in nanoseconds.
  package var patience: UInt64 = 5_000_000_000
  /// How many want the terminal for themselves now: whoever asks the person, a stop of the host.
  private var pauses = 0

  private init(channel: HeldDescriptor, terminal: HeldDescriptor, helper: consuming HelperProgram) {
    self.channel = channel
    self.terminal = terminal
    self.helper = consume helper
  }

  deinit { end(nil) }

  /// Begins to show that there is a session. `terminal` is a terminal's number, which is duplicated. `keys` says which
  /// keys there are; empty: none. `beside` is the directory of the program; nil: that of this one.
  package static func start(
    on terminal: Int32,
    _ ability: TerminalAbility,
    keys: String,
    beside directory: String? = nil
  ) throws(SystemCallError) -> TerminalViewfinder {
    let own = try open(terminal)
    let pair = try SocketPair.make()
    let place: String
    if let directory {
      place = directory
    } else {
      place = FileSystem.directoryName(try CurrentProcess.executablePath())
    }
    let helper = try HelperProgram.start(
      "\(place)/\(program)",
      [ability.graphics.rawValue, ability.colours.rawValue, "\(CurrentProcess.processID)", keys],
      environment: ["LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"],
      input: pair.second.rawValue,
      errors: own.rawValue
    )
    let channel = try pair.first.duplicate()
    try channel.setNonBlocking()
    let viewfinder = TerminalViewfinder(
      channel: HeldDescriptor(channel),
      terminal: HeldDescriptor(own),
      helper: helper
    )
    let state = TerminalState.of(terminal)?.bytes ?? []
    viewfinder.send("t", bytes: state, [viewfinder.terminal.rawValue])
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
  package var readable: Int32? { isOpen ? channel.rawValue : nil }

  package func begin(_ ring: PreviewRing) {
    // Opened anew, it can be read alone.
    guard let reading = try? FileSystem.open("/proc/self/fd/\(ring.descriptor.rawValue)", .read) else {
      return lose()
    }
    // As the host has laid it out, whatever the extension has made of it meanwhile.
    hasRing = send("g", bytes: ring.geometry.header, [reading.rawValue])
  }

  package func show(_ frame: PreviewRing.Frame) {
    guard isOpen, !isBusy else { return }
    isBusy = send("f", "\(frame.sequence)")
  }

  package func tell(_ state: PreviewState) { send("s", state.rawValue) }

  /// Takes what the program has said.
  package func flush() {
    for _ in 0..<Self.mostAtOnce {
      guard isOpen, let kind = receive() else { return }
      if kind == UInt8(ascii: "d") { isBusy = false }
    }
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
    guard pauses == (isPaused ? 1 : 0), send(isPaused ? "p" : "r", ""), isPaused else { return }
    let end = MonotonicClock.now + patience
    while isOpen {
      guard let found = try? Poller.wait([(channel.rawValue, .readable)], until: end), !found[0].isEmpty
      else { return lose() }
      switch receive() {
      case UInt8(ascii: "p"): return
      case UInt8(ascii: "d"): isBusy = false
      default: break
      }
    }
  }

  /// Leaves the terminal as it was, with a line that says how the session went; nil: with none.
  package func end(_ outcome: String?) {
    guard helper != nil else { return }
    send("e", outcome ?? "")
    _ = conclude(within: Self.farewell)
  }

  /// The program has ended by itself, or cannot go on: the terminal is put right, and the session goes on.
  private func lose() {
    guard helper != nil else { return }
    let status = conclude(within: Self.decay)
    let how =
      switch status {
      case .exited(Self.unconfined): "it could not be confined"
      case .exited(let code): "it has ended with the code \(code)"
      case .signaled(let signal): "it was ended by \(signal)"
      case nil: "it had to be ended"
      }
    whenLost("the viewfinder is not shown any more: its program is gone (\(how)); the session goes on")
  }

  /// Waits for the end of the program so long, in nanoseconds, and makes the terminal as it was if it has not done that
  /// itself; how it has ended, nil: it was ended.
  private func conclude(within time: UInt64) -> ExitStatus? {
    isOpen = false
    isBusy = false
    guard let helper = helper.take() else { return nil }
    let end = MonotonicClock.now + time
    let ended = try? Poller.wait([(helper.handle.descriptor.rawValue, .readable)], until: end)
    var status: ExitStatus?
    if ended?.first?.isEmpty == false { status = try? helper.handle.reap() }
    if status == nil { helper.kill() }
    if hasRing, status != .exited(0), status != .exited(Self.unconfined) { restore() }
    return status
  }

  /// Makes the terminal as it was, unless whoever is in front of it now has it as they need it.
  private func restore() {
    guard !isBehind,
      let room = try? Poller.wait([(terminal.rawValue, .writable)], until: MonotonicClock.now),
      room[0].contains(.writable)
    else { return }
    try? Descriptor.write(Array(Self.restoration.utf8), toNumber: terminal.rawValue)
  }

  /// Sends a message; whether it has gone out. A program that has ended is told nothing any more.
  @discardableResult
  private func send(_ kind: Character, _ text: String, _ descriptors: [Int32] = []) -> Bool {
    send(kind, bytes: Array(text.utf8), descriptors)
  }

  @discardableResult
  private func send(_ kind: Character, bytes: [UInt8], _ descriptors: [Int32] = []) -> Bool {
    guard isOpen else { return false }
    do throws(SystemCallError) {
      try PacketSocket.send(Array("\(kind)".utf8) + bytes, descriptors, over: channel.descriptor)
      return true
    } catch {
      if error.errno != .wouldBlock { lose() }
      return false
    }
  }

  /// The letter of the next message; nil if there is none.
  private func receive() -> UInt8? {
    switch try? PacketSocket.receive(limit: 64, from: channel.descriptor) {
    case .packet(let packet): return packet.bytes.first
    case .nothing: return nil
    case .tooLarge, .end, nil:
      lose()
      return nil
    }
  }
}
