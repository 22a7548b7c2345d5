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

  /// Makes the terminal as it was then.
  package func restore() {
    var state = state
    tcsetattr(descriptor, TCSANOW, &state)
  }
}

/// A terminal that gives keys as they are pressed, and is as it was when this value goes away (termios(3)).
package struct TerminalMode: ~Copyable {
  private let descriptor: Int32
  private let before: termios

  private init(_ descriptor: Int32, _ before: termios) {
    self.descriptor = descriptor
    self.before = before
  }

  deinit {
    var before = before
    tcsetattr(descriptor, TCSANOW, &before)
  }

  /// Switches off lines and echo; Ctrl-C and its kin stay what they are.
  package static func keys(_ descriptor: Int32) throws(SystemCallError) -> TerminalMode {
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
    return TerminalMode(descriptor, before)
  }

  /// Switches off lines, echo and the keys that send signals, and forgets what was typed before: what is typed now is a
  /// secret, and whoever reads it sees Ctrl-C as a byte and can put the terminal right first.
  package static func secret(_ descriptor: Int32) throws(SystemCallError) -> TerminalMode {
    var mode = termios()
    try check("tcgetattr") { tcgetattr(descriptor, &mode) }
    let before = mode
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | ISIG | IEXTEN)
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    try check("tcsetattr") { tcsetattr(descriptor, TCSAFLUSH, &mode) }
    return TerminalMode(descriptor, before)
  }

  /// The keys that were pressed since the last call; nil if the terminal is gone.
  package borrowing func read() throws(SystemCallError) -> [UInt8]? {
    let raw = descriptor
    var keys = [UInt8](repeating: 0, count: 64)
    let count = try check("read") { CLinux.read(raw, &keys, 64) }
    return Array(keys[..<count])
  }
}
