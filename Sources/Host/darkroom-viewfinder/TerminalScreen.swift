// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The terminal, which is used only while no other program needs it. Writes never block.
final class TerminalScreen {
  private let terminal: Descriptor
  /// The foreground check of the host's terminal.
  private let turn: ForegroundWatch
  /// The keyboard mode before the host changed it.
  private let state: TerminalState?
  /// The output that has not been written yet.
  private var waiting: ArraySlice<UInt8> = []
  /// Whether the alternate screen is active.
  private(set) var isEntered = false
  /// Whether writing has failed.
  private(set) var isClosed = false

  /// Enters the alternate screen without a cursor and without line wrapping.
  private static let enterSequence = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  /// Clears the screen.
  static let blank = "\u{1B}[0m\u{1B}[2J"
  /// Leaves the alternate screen, and ends synchronized output.
  private static let leaveSequence = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  /// Ends any sequence that has been written only partly.
  private static let cancelSequence = "\u{18}\u{1B}\\"
  /// Deletes all kitty images. Other terminals ignore this.
  private static let deleteImagesSequence = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

  /// Creates a screen from the host's terminal, which is opened again, so that its blocking mode is
  /// independent of the host. Returns `nil` if it cannot be used without blocking, or if the host has exited.
  init?(_ given: HeldDescriptor, _ keys: [UInt8], host: Int32) {
    guard let turn = ForegroundWatch(host, at: given.rawValue) else { return nil }
    self.turn = turn
    let flags: OpenFlags = [.write, .nonBlocking, .noTerminal]
    if let own = try? FileSystem.open("/proc/self/fd/\(given.rawValue)", flags) {
      terminal = own
    } else if let copy = try? given.descriptor.duplicate() {
      // The terminal belongs to another user, as after su(1).
      terminal = copy
    } else {
      return nil
    }
    state = TerminalState(keys, of: terminal.rawValue)
  }

  /// Restores the original keyboard mode after the host has exited without doing so.
  func restoreKeys() { state?.restoreAfterCbreak() }

  /// The size of the terminal, or `nil` if it is unknown.
  var size: TerminalSize? { TerminalSize.of(terminal.rawValue) }

  /// The descriptor to poll for writing, or `nil` without pending output.
  var writable: Int32? { waiting.isEmpty || isClosed ? nil : terminal.rawValue }

  /// Whether another process group is in the foreground, or the host is stopped.
  var isInBackground: Bool { turn.isInBackground }

  /// Enters an empty alternate screen.
  func enter() {
    guard !isEntered else { return }
    isEntered = true
    write(Array(Self.enterSequence.utf8))
  }

  /// Leaves the alternate screen, and discards pending output.
  func leave(showingPictures isPicture: Bool) {
    guard isEntered else { return }
    isEntered = false
    let cut = waiting.isEmpty ? "" : Self.cancelSequence
    waiting = []
    write(Array("\(cut)\(isPicture ? Self.deleteImagesSequence : "")\(Self.leaveSequence)".utf8))
  }

  /// Writes as much as possible without blocking, and keeps the rest.
  func write(_ bytes: [UInt8]) {
    waiting += bytes
    flush()
  }

  /// Writes pending output.
  func flush() {
    while !waiting.isEmpty, !isClosed {
      var count: Int?
      do throws(SystemCallError) {
        var result: Result<Int?, SystemCallError> = .success(nil)
        waiting.withUnsafeBytes { bytes in
          result = Result { () throws(SystemCallError) in try terminal.write(bytes) }
        }
        count = try result.get()
      } catch { isClosed = true }
      guard let count, count > 0 else { return }
      waiting.removeFirst(count)
    }
  }

  /// Writes pending output until a deadline.
  func finish(until end: UInt64) {
    while let writable, MonotonicClock.now < end {
      guard let found = try? Poller.wait([(writable, .writable)], until: end), !found[0].isEmpty else {
        return
      }
      flush()
    }
  }
}
