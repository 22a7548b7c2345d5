// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Synchronization

/// Asks at the terminal that the process was started from. What is typed is not shown.
///
/// The keys that send signals are bytes meanwhile: Ctrl-C breaks off, and the terminal is put back first. Only SIGKILL
/// leaves it without echo; `stty sane` mends that.
///
/// Nobody is asked out of turn: what is typed then is meant for whoever is in front of the terminal.
package final class TerminalPrompt: PasswordPrompt {
  private let terminal: Terminal
  private let turn: TerminalTurn
  /// How often it is asked whose turn it is, in nanoseconds, while it is somebody else's.
  private static let rest: UInt64 = 200_000_000
  /// How the terminal was, as long as it is changed.
  private let mode = Mutex<TerminalMode?>(nil)

  /// Where there is a terminal.
  package enum Terminal: Sendable, Hashable {
    /// At a path; that of this process is `/dev/tty`.
    case path(String)
    /// Somebody has given a descriptor of theirs, which the caller keeps open; nil: they have none.
    case given(Int32?)

    /// Opens it; nil: there is none.
    fileprivate func open() -> Descriptor? {
      switch self {
      case .path(let path): try? FileSystem.open(path, [.readWrite, .nonBlocking])
      // By its path it would be the terminal of whoever opens it.
      case .given(let number?): try? Descriptor.duplicate(of: number)
      case .given(nil): nil
      }
    }

    /// What it is called.
    fileprivate var name: String {
      switch self {
      case .path(let path): path
      case .given: "/dev/tty"
      }
    }
  }

  /// Asks at a terminal, in turn.
  package init(_ terminal: Terminal = .path("/dev/tty"), turn: TerminalTurn = .own) {
    self.terminal = terminal
    self.turn = turn
  }

  package func ask(_ question: PromptQuestion, _ patience: Patience) -> PromptAnswer {
    guard let terminal = self.terminal.open() else {
      return .unavailable("there is no terminal to ask at; start it from one, or give --passcode-fd N")
    }
    while true {
      if let end = waitForTurn(terminal, patience) { return end }
      guard change(terminal) else {
        return .unavailable("\(self.terminal.name) is no terminal that can hide what is typed")
      }
      // In this order: it is not known how the terminal is to be once it is somebody else's.
      defer { putBack() }
      write(question.text, to: terminal)
      guard let answer = read(question, terminal, patience) else { continue }
      write("\n", to: terminal)
      return answer
    }
  }

  /// Waits until it is this prompt's turn; gives the answer if that never comes.
  private func waitForTurn(_ terminal: borrowing Descriptor, _ patience: Patience) -> PromptAnswer? {
    while turn.isBehind(terminal.rawValue) {
      turn.stop()
      let next = min(patience.deadline, MonotonicClock.now + Self.rest)
      if case .cancelled = Patience(stop: patience.stop, deadline: next).wait(for: []) { return .cancelled }
      if MonotonicClock.now >= patience.deadline { return .timedOut }
    }
    return nil
  }

  /// Hides what is typed from now on; false: it cannot be hidden.
  private func change(_ terminal: borrowing Descriptor) -> Bool {
    let raw = terminal.rawValue
    return mode.withLock { mode in
      mode = try? TerminalMode.secret(raw, turn: turn)
      return mode != nil
    }
  }

  package func tell(_ text: String) {
    guard let terminal = terminal.open() else { return }
    write(Self.printable(text) + "\n", to: terminal)
  }

  package func putBack() { mode.withLock { $0 = nil } }

  /// Reads keys until Enter, Ctrl-C, or Ctrl-D on an empty line; nil: the turn is somebody else's, and so are the keys.
  private func read(
    _ question: PromptQuestion,
    _ terminal: borrowing Descriptor,
    _ patience: Patience
  ) -> PromptAnswer? {
    var secret = SecretBytes()
    while true {
      switch patience.wait(for: [terminal.rawValue]) {
      case .cancelled: return .cancelled
      case .timedOut: return .timedOut
      case .ready(let found) where found[0].contains(.hangUp): return .cancelled
      case .ready: break
      }
      if turn.isBehind(terminal.rawValue) { return nil }
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
    // A terminal that takes nothing more is one at which nobody reads.
    try? terminal.writeAll(bytes)
  }

  /// A text of which nothing can reach the terminal as an order: PAM modules choose sentences.
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
