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

  /// Whether what was typed came line by line.
  package var givesLines: Bool { state.c_lflag & tcflag_t(ICANON) != 0 }

  /// Makes the terminal as it was then.
  package func restore() {
    var state = state
    tcsetattr(descriptor, TCSANOW, &state)
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
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // A read returns at once with what there is.
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    try check("tcsetattr") { tcsetattr(descriptor, TCSANOW, &mode) }
    return TerminalMode(terminal, before, turn)
  }

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

  /// The keys that were pressed since the last call; nil if the terminal is gone.
  package borrowing func read() throws(SystemCallError) -> [UInt8]? {
    let raw = terminal.rawValue
    var keys = [UInt8](repeating: 0, count: 64)
    let count = try check("read") { CLinux.read(raw, &keys, 64) }
    return Array(keys[..<count])
  }
}
