// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// How a terminal is at a moment (termios(3)).
package struct TerminalState {
  private let descriptor: Int32
  private let state: termios

  /// How a descriptor's terminal is now; nil: it has none.
  package static func of(_ descriptor: Int32) -> TerminalState? {
    var state = termios()
    return tcgetattr(descriptor, &state) == 0 ? TerminalState(descriptor: descriptor, state: state) : nil
  }

  /// The same for another process of this machine that has the terminal open.
  package var bytes: [UInt8] { withUnsafeBytes(of: state) { Array($0) } }

  /// What another process has seen (``bytes``) of the terminal that is open here under a number; nil: it is none.
  package init?(_ bytes: [UInt8], of descriptor: Int32) {
    guard bytes.count == MemoryLayout<termios>.size else { return nil }
    state = bytes.withUnsafeBytes { $0.loadUnaligned(as: termios.self) }
    self.descriptor = descriptor
  }

  private init(descriptor: Int32, state: termios) {
    self.descriptor = descriptor
    self.state = state
  }

  /// Whether what was typed came line by line.
  package var givesLines: Bool { state.c_lflag & tcflag_t(ICANON) != 0 }

  /// Makes the terminal as it was then.
  package func restore() {
    var state = state
    tcsetattr(descriptor, TCSANOW, &state)
  }

  /// Makes the terminal as it was then if it is as ``TerminalMode/keys(_:turn:)`` has made it since, and nobody has made it
  /// otherwise: whoever did that has ended without putting it right.
  package func restoreAfterKeys() {
    var (now, keys) = (termios(), state)
    TerminalMode.setKeys(&keys)
    guard tcgetattr(descriptor, &now) == 0 else { return }
    let isSame = withUnsafeBytes(of: now.c_cc) { one in
      withUnsafeBytes(of: keys.c_cc) { other in one.elementsEqual(other) }
    }
    guard isSame, now.c_iflag == keys.c_iflag, now.c_oflag == keys.c_oflag, now.c_cflag == keys.c_cflag,
      now.c_lflag == keys.c_lflag
    else { return }
    restore()
  }
}

/// A terminal that gives keys as they are pressed, and is as it was when this value goes away (termios(3)).
package struct TerminalMode: ~Copyable {
  /// Its own: what the number that it was given means may be changed by whoever gave it, and the terminal stays changed.
  private let terminal: Descriptor
  private let before: termios
  /// Whose turn it is; nil: the kernel sees to it.
  private let turn: TerminalTurn?

  private init(_ terminal: consuming Descriptor, _ before: termios, _ turn: TerminalTurn?) {
    self.terminal = terminal
    self.before = before
    self.turn = turn
  }

  deinit {
    // Whoever is in front meanwhile has made the terminal as they need it.
    if let turn, turn.isBehind(terminal.rawValue) { return }
    var before = before
    tcsetattr(terminal.rawValue, TCSANOW, &before)
  }

  /// The number to wait at for keys, valid as long as this value lives.
  package var number: Int32 { terminal.rawValue }

  /// Switches off lines and echo; Ctrl-C and its kin stay what they are.
  package static func keys(
    _ number: Int32,
    turn: TerminalTurn? = nil
  ) throws(SystemCallError) -> TerminalMode {
    let terminal = try Descriptor.duplicate(of: number)
    let descriptor = terminal.rawValue
    var mode = termios()
    try check("tcgetattr") { tcgetattr(descriptor, &mode) }
    let before = mode
    setKeys(&mode)
    try check("tcsetattr") { tcsetattr(descriptor, TCSANOW, &mode) }
    return TerminalMode(terminal, before, turn)
  }

  /// Switches off lines and echo in a description of a terminal.
  fileprivate static func setKeys(_ mode: inout termios) {
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // A read waits for a key: where the terminal stays so because this process was killed, a shell that reads at once
    // would take nothing for the end of its input.
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
  }

  /// Forgets what was typed at a terminal and not read yet (tcflush(3)).
  package static func forgetInput(_ number: Int32) { tcflush(number, TCIFLUSH) }

  /// Forgets what was written to a terminal and not taken by it yet (tcflush(3)).
  package static func forgetOutput(_ number: Int32) { tcflush(number, TCOFLUSH) }

  /// Switches off lines, echo and the keys that send signals, and forgets what was typed before: what is typed now is a
  /// secret, and whoever reads it sees Ctrl-C as a byte and can put the terminal right first.
  package static func secret(
    _ number: Int32,
    turn: TerminalTurn
  ) throws(SystemCallError) -> TerminalMode {
    let terminal = try Descriptor.duplicate(of: number)
    let descriptor = terminal.rawValue
    var mode = termios()
    try check("tcgetattr") { tcgetattr(descriptor, &mode) }
    let before = mode
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | ISIG | IEXTEN)
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    try check("tcsetattr") { tcsetattr(descriptor, TCSAFLUSH, &mode) }
    return TerminalMode(terminal, before, turn)
  }

  /// Makes the terminal as it was, for a while in which somebody else has it.
  package borrowing func giveBack() {
    var before = before
    tcsetattr(terminal.rawValue, TCSANOW, &before)
  }

  /// Takes keys again, after ``giveBack()``, with neither lines nor echo.
  package borrowing func takeAgain() {
    var mode = before
    Self.setKeys(&mode)
    tcsetattr(terminal.rawValue, TCSANOW, &mode)
  }

  /// The keys that were pressed since the last call; nil if the terminal is gone.
  package borrowing func read() throws(SystemCallError) -> [UInt8]? {
    let raw = terminal.rawValue
    // To read what is not there could mean to wait.
    guard try !Poller.wait([(raw, .readable)], until: 0)[0].isEmpty else { return [] }
    var keys = [UInt8](repeating: 0, count: 64)
    let count = try check("read") { CLinux.read(raw, &keys, 64) }
    return Array(keys[..<count])
  }
}
