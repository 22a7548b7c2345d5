// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A terminal that is this program's as long as nobody else needs it. It is never waited for.
final class TerminalScreen {
  private let terminal: Descriptor
  /// Whose turn it is there for the host.
  private let turn: TerminalWatch
  /// How it gave keys before the host took them.
  private let state: TerminalState?
  /// What has still to be written.
  private var waiting: ArraySlice<UInt8> = []
  /// Whether the picture is there, and not what was there before.
  private(set) var isEntered = false
  /// Whether nothing can be written any more.
  private(set) var isGone = false

  /// A screen of its own, without a cursor, that goes on in no next line.
  private static let entrance = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  /// An empty screen.
  static let blank = "\u{1B}[0m\u{1B}[2J"
  /// What was there before, where the cursor was; nothing is held back any more.
  private static let exit = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  /// The end of whatever sequence the terminal is in the middle of.
  private static let interruption = "\u{18}\u{1B}\\"
  /// All pictures of kitty's protocol are gone; others ignore it.
  private static let noPictures = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

  /// Takes a terminal of a host's. It is opened anew: whether the host's waits is the host's affair. nil: it can be
  /// neither opened nor used without waiting, or the host has gone.
  init?(_ given: HeldDescriptor, _ keys: [UInt8], host: Int32) {
    guard let turn = TerminalWatch(host, at: given.rawValue) else { return nil }
    self.turn = turn
    let flags: OpenFlags = [.write, .nonBlocking, .noTerminal]
    if let own = try? FileSystem.open("/proc/self/fd/\(given.rawValue)", flags) {
      terminal = own
    } else if let copy = try? given.descriptor.duplicate() {
      // Somebody else's terminal, as after su(1).
      terminal = copy
    } else {
      return nil
    }
    state = TerminalState(keys, of: terminal.rawValue)
  }

  /// Has the terminal give keys as before: the host has gone, and had no time for that.
  func restoreKeys() { state?.restoreAfterKeys() }

  /// How large it is.
  var size: TerminalSize? { TerminalSize.of(terminal.rawValue) }

  /// What to watch for room; nil while nothing waits.
  var writable: Int32? { waiting.isEmpty || isGone ? nil : terminal.rawValue }

  /// Whether somebody else is in front of it, or the host is stopped.
  var isBehind: Bool { turn.isBehind }

  /// Begins with an empty screen.
  func enter() {
    guard !isEntered else { return }
    isEntered = true
    write(Array(Self.entrance.utf8))
  }

  /// Shows what was there before; what has not been written is not written any more.
  func leave(showingPictures isPicture: Bool) {
    guard isEntered else { return }
    isEntered = false
    let cut = waiting.isEmpty ? "" : Self.interruption
    waiting = []
    write(Array("\(cut)\(isPicture ? Self.noPictures : "")\(Self.exit)".utf8))
  }

  /// Writes, as much as is taken now.
  func write(_ bytes: [UInt8]) {
    waiting += bytes
    flush()
  }

  /// Goes on writing.
  func flush() {
    while !waiting.isEmpty, !isGone {
      var count: Int?
      do throws(SystemCallError) {
        var result: Result<Int?, SystemCallError> = .success(nil)
        waiting.withUnsafeBytes { bytes in
          result = Result { () throws(SystemCallError) in try terminal.write(bytes) }
        }
        count = try result.get()
      } catch { isGone = true }
      guard let count, count > 0 else { return }
      waiting.removeFirst(count)
    }
  }

  /// Writes all that waits, if it is taken until then.
  func finish(until end: UInt64) {
    while let writable, MonotonicClock.now < end {
      guard let found = try? Poller.wait([(writable, .writable)], until: end), !found[0].isEmpty else {
        return
      }
      flush()
    }
  }
}
