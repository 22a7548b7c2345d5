// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Synchronization

/// A prompt at the controlling terminal. The typed answer is not shown.
///
/// Keys for signals are read as bytes meanwhile: Ctrl-C cancels the prompt after the terminal was restored.
/// Only SIGKILL leaves the terminal without echo; `stty sane` fixes that.
///
/// The prompt waits while another process group is in the foreground, because keys are meant for that group.
package final class TerminalPrompt: PasswordPrompt {
  private let terminal: Terminal
  private let turn: TerminalJobControl
  /// The interval of foreground checks while another process group is in the foreground, in nanoseconds.
  private static let foregroundPollInterval: UInt64 = 200_000_000
  /// The original terminal mode while it is changed.
  private let mode = Mutex<TerminalMode?>(nil)

  /// A way to access a terminal.
  package enum Terminal: Sendable, Hashable {
    /// A path. The controlling terminal of this process is `/dev/tty`.
    case path(String)
    /// A descriptor of a client, which the caller keeps open, or `nil` if the client has no terminal.
    case given(Int32?)

    /// Opens the terminal, or returns `nil` if there is none.
    fileprivate func open() -> Descriptor? {
      switch self {
      case .path(let path): try? FileSystem.open(path, [.readWrite, .nonBlocking])
      // `/dev/tty` would be the terminal of this process instead of the client's.
      case .given(let number?): try? Descriptor.duplicate(of: number)
      case .given(nil): nil
      }
    }

    /// The name of the terminal for messages.
    fileprivate var name: String {
      switch self {
      case .path(let path): path
      case .given: "/dev/tty"
      }
    }
  }

  /// Creates a prompt at a terminal.
  package init(_ terminal: Terminal = .path("/dev/tty"), turn: TerminalJobControl = .own) {
    self.terminal = terminal
    self.turn = turn
  }

  package func ask(_ question: PromptQuestion, _ timeout: Timeout) -> PromptAnswer {
    guard let terminal = self.terminal.open() else {
      return .unavailable(
        "no terminal is available for the prompt; start darkroom from a terminal, or use --passcode-fd N"
      )
    }
    while true {
      if let end = waitForForeground(terminal, timeout) { return end }
      guard disableEcho(terminal) else {
        return .unavailable("\(self.terminal.name) is not a terminal that can hide the input")
      }
      // The terminal is restored before the next foreground check: another process group may need another
      // mode.
      defer { restore() }
      write(question.text, to: terminal)
      guard let answer = read(question, terminal, timeout) else { continue }
      write("\n", to: terminal)
      return answer
    }
  }

  /// Waits until this process may use the terminal. Returns an answer if the wait is cancelled or times out.
  private func waitForForeground(_ terminal: borrowing Descriptor, _ timeout: Timeout) -> PromptAnswer? {
    while turn.isInBackground(terminal.rawValue) {
      turn.stop()
      let next = min(timeout.deadline, MonotonicClock.now + Self.foregroundPollInterval)
      if case .cancelled = Timeout(stop: timeout.stop, deadline: next).wait(for: []) { return .cancelled }
      if MonotonicClock.now >= timeout.deadline { return .timedOut }
    }
    return nil
  }

  /// Disables echo. Returns `false` if that fails.
  private func disableEcho(_ terminal: borrowing Descriptor) -> Bool {
    let raw = terminal.rawValue
    return mode.withLock { mode in
      mode = try? TerminalMode.secret(raw, turn: turn)
      return mode != nil
    }
  }

  package func show(_ text: String) {
    guard let terminal = terminal.open() else { return }
    write(Self.printable(text) + "\n", to: terminal)
  }

  package func restore() { mode.withLock { $0 = nil } }

  /// Reads keys until Enter, Ctrl-C, or Ctrl-D on an empty line. Returns `nil` if another process group is in
  /// the foreground, which then receives the keys.
  private func read(
    _ question: PromptQuestion,
    _ terminal: borrowing Descriptor,
    _ timeout: Timeout
  ) -> PromptAnswer? {
    var secret = SecretBytes()
    while true {
      switch timeout.wait(for: [terminal.rawValue]) {
      case .cancelled: return .cancelled
      case .timedOut: return .timedOut
      case .ready(let found) where found[0].contains(.hangUp): return .cancelled
      case .ready: break
      }
      if turn.isInBackground(terminal.rawValue) { return nil }
      var byte: UInt8 = 0
      let outcome = try? withUnsafeMutableBytes(of: &byte) { bytes throws(SystemCallError) in
        try terminal.read(into: bytes)
      }
      guard case .bytes = outcome else { return .cancelled }
      switch byte {
      case 10, 13: return .secret(secret)
      case 3: return .cancelled
      case 4 where secret.count == 0: return .cancelled
      case 8, 127: secret.removeLastCharacter()
      case 21: secret.removeAll()
      case 0..<32: break
      default:
        guard secret.append(byte) else { return .cancelled }
        if question.visibility == .shown { write([byte], to: terminal) }
      }
    }
  }

  private func write(_ text: String, to terminal: borrowing Descriptor) {
    write(Array(Self.printable(text, keeping: "\n").utf8), to: terminal)
  }

  private func write(_ bytes: [UInt8], to terminal: borrowing Descriptor) {
    // A write fails only if the terminal is no longer read.
    try? terminal.writeAll(bytes)
  }

  /// Returns a text without control characters, so that texts of PAM modules cannot control the terminal.
  private static func printable(_ text: String, keeping kept: Unicode.Scalar? = nil) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter { scalar in
          scalar == kept || ![.control, .format, .lineSeparator].contains(scalar.properties.generalCategory)
        }
      )
    )
  }
}
