// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A saved state of a terminal (termios(3)).
package struct TerminalState {
  private let descriptor: Int32
  private let state: termios

  /// Returns the current state of a descriptor's terminal, or `nil` if the descriptor is not a terminal.
  package static func of(_ descriptor: Int32) -> TerminalState? {
    var state = termios()
    return tcgetattr(descriptor, &state) == 0 ? TerminalState(descriptor: descriptor, state: state) : nil
  }

  /// The state as bytes, for another process of this machine that has the terminal open.
  package var bytes: [UInt8] { withUnsafeBytes(of: state) { Array($0) } }

  /// Creates a state from the ``bytes`` of another process, for a terminal that is open here, or returns
  /// `nil` if the bytes are not a state.
  package init?(_ bytes: [UInt8], of descriptor: Int32) {
    guard bytes.count == MemoryLayout<termios>.size else { return nil }
    state = bytes.withUnsafeBytes { $0.loadUnaligned(as: termios.self) }
    self.descriptor = descriptor
  }

  private init(descriptor: Int32, state: termios) {
    self.descriptor = descriptor
    self.state = state
  }

  /// Whether the terminal was in canonical mode, in which input is read line by line.
  package var isCanonical: Bool { state.c_lflag & tcflag_t(ICANON) != 0 }

  /// Restores the saved state.
  package func restore() {
    var state = state
    tcsetattr(descriptor, TCSANOW, &state)
  }

  /// Restores the saved state if the terminal is as ``TerminalMode/keys(_:turn:)`` set it. In that case, the
  /// process that called it has exited without restoring the terminal.
  package func restoreAfterCbreak() {
    var (now, keys) = (termios(), state)
    TerminalMode.setCbreak(&keys)
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

/// A terminal in noncanonical mode, in which keys are read as they are pressed. The previous mode is restored
/// when the value is destroyed (termios(3)).
package struct TerminalMode: ~Copyable {
  /// A duplicate, because the owner of the original descriptor may close or replace it while the mode must
  /// still be restored.
  private let terminal: Descriptor
  private let before: termios
  /// The job control of the terminal, or `nil` if the kernel enforces it.
  private let turn: TerminalJobControl?

  private init(_ terminal: consuming Descriptor, _ before: termios, _ turn: TerminalJobControl?) {
    self.terminal = terminal
    self.before = before
    self.turn = turn
  }

  deinit {
    // The process in the foreground has set the mode that it needs.
    if let turn, turn.isInBackground(terminal.rawValue) { return }
    var before = before
    tcsetattr(terminal.rawValue, TCSANOW, &before)
  }

  /// The descriptor to poll for keys, valid as long as this value lives.
  package var number: Int32 { terminal.rawValue }

  /// Disables canonical mode and echo. Ctrl-C and similar keys keep their effect.
  package static func cbreak(
    _ number: Int32,
    turn: TerminalJobControl? = nil
  ) throws(SystemCallError) -> TerminalMode {
    let terminal = try Descriptor.duplicate(of: number)
    let descriptor = terminal.rawValue
    var mode = termios()
    try check("tcgetattr") { tcgetattr(descriptor, &mode) }
    let before = mode
    setCbreak(&mode)
    try check("tcsetattr") { tcsetattr(descriptor, TCSANOW, &mode) }
    return TerminalMode(terminal, before, turn)
  }

  /// Disables canonical mode and echo in terminal attributes.
  fileprivate static func setCbreak(_ mode: inout termios) {
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // A read waits for at least one key. If this process is killed, the terminal stays in this mode, and a
    // shell would treat an empty read as the end of its input.
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
  }

  /// Discards input of a terminal that was not read (tcflush(3)).
  package static func discardInput(_ number: Int32) { tcflush(number, TCIFLUSH) }

  /// Discards output of a terminal that was not transmitted (tcflush(3)).
  package static func discardOutput(_ number: Int32) { tcflush(number, TCOFLUSH) }

  /// Disables canonical mode, echo and signal keys, and discards earlier input, for reading a secret.
  ///
  /// The reader receives Ctrl-C as a byte and can restore the terminal first.
  package static func secret(
    _ number: Int32,
    turn: TerminalJobControl
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

  /// Restores the previous mode while another process uses the terminal.
  package borrowing func suspend() {
    var before = before
    tcsetattr(terminal.rawValue, TCSANOW, &before)
  }

  /// Disables canonical mode and echo again, after ``suspend()``.
  package borrowing func resume() {
    var mode = before
    Self.setCbreak(&mode)
    tcsetattr(terminal.rawValue, TCSANOW, &mode)
  }

  /// Returns the keys that were pressed since the last call, or `nil` if the terminal has been closed.
  package borrowing func read() throws(SystemCallError) -> [UInt8]? {
    let raw = terminal.rawValue
    // A read without available input could block.
    guard try !Poller.wait([(raw, .readable)], until: 0)[0].isEmpty else { return [] }
    var keys = [UInt8](repeating: 0, count: 64)
    let count = try check("read") { CLinux.read(raw, &keys, 64) }
    return Array(keys[..<count])
  }
}
