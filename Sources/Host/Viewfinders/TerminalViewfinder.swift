// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import CaptureHost
package import LinuxPrimitives
internal import ViewfinderLink

/// Shows a viewfinder in a terminal with the helper `darkroom-viewfinder`.
///
/// The viewfinder is a separate program because its libraries would slow down the start of every command. The
/// host sends it the terminal first, then the ring and each frame. A frame is held until the helper is done
/// with it. The helper reports when it has released the terminal to another program.
package final class TerminalViewfinder: PreviewDisplay {
  /// The name of the helper, which is in the directory of this executable.
  package static let program = "darkroom-viewfinder"
  /// The time limit for releasing the terminal at the end, in nanoseconds.
  private static let closeTimeout: UInt64 = 1_500_000_000
  /// The time limit from the loss of the connection to the exit of the helper, in nanoseconds.
  private static let exitTimeout: UInt64 = 500_000_000
  /// The time limit until the terminal accepts output, in nanoseconds.
  private static let writeTimeout: UInt64 = 200_000_000
  /// The sequences that restore a terminal in any state: they end other sequences, delete images, leave the
  /// alternate screen and show the cursor.
  private static let restoration =
    "\u{18}\u{1B}\\\u{1B}_Ga=d,d=A,q=2\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let terminal: HeldDescriptor
  private let helper: ViewfinderHelper
  /// Called with a sentence when the viewfinder is lost while the session continues.
  package var whenLost: (String) -> Void = { _ in }
  /// Whether the helper has a ring. Without a ring it does not use the terminal.
  private var hasRing = false
  /// Whether a frame is being shown.
  package private(set) var isBusy = false
  /// The time limit for releasing the terminal to another program, in nanoseconds.
  package var patience: UInt64 = 5_000_000_000
  /// The number of active pauses, for example for a prompt and for a stop of the host.
  private var pauseCount = 0

  private init(_ terminal: HeldDescriptor, _ helper: ViewfinderHelper) {
    self.terminal = terminal
    self.helper = helper
  }

  deinit { end(nil) }

  /// Whether messages can be sent to the helper.
  package var isOpen: Bool { helper.isOpen }

  /// Starts a viewfinder.
  ///
  /// - Parameters:
  ///   - terminal: The descriptor of the terminal, which is duplicated.
  ///   - capabilities: The capabilities of the terminal.
  ///   - keys: A description of the keys, or an empty string.
  ///   - directory: The directory of the helper, or `nil` for that of this executable.
  /// - Returns: The running viewfinder.
  /// - Throws: An error if the helper cannot be started.
  package static func start(
    on terminal: Int32,
    _ capabilities: TerminalCapabilities,
    keys: String,
    beside directory: String? = nil
  ) throws(SystemCallError) -> TerminalViewfinder {
    let own = HeldDescriptor(try open(terminal))
    let words = [
      capabilities.graphics.rawValue, capabilities.colours.rawValue, "\(CurrentProcess.processID)", keys,
    ]
    let helper = try ViewfinderHelper.start(program, words, errors: own.rawValue, in: directory)
    let viewfinder = TerminalViewfinder(own, helper)
    let state = TerminalState.of(terminal)?.bytes ?? []
    viewfinder.send(.terminal, bytes: state, [own.rawValue])
    return viewfinder
  }

  /// Opens a terminal again for non-blocking writes, without read access. A terminal of another user, as
  /// after su(1), is duplicated instead.
  private static func open(_ terminal: Int32) throws(SystemCallError) -> Descriptor {
    let path = "/proc/self/fd/\(terminal)"
    if let own = try? FileSystem.open(path, [.write, .nonBlocking, .noTerminal]) { return own }
    return try Descriptor.duplicate(of: terminal)
  }

  package var writable: Int32? { nil }
  package var readable: Int32? { isOpen ? helper.readable : nil }

  package func begin(_ ring: PreviewRing) {
    guard isOpen else { return }
    hasRing = take(helper.sendRing(ring))
  }

  package func show(_ frame: PreviewRing.Frame) {
    guard isOpen, !isBusy else { return }
    isBusy = send(.frame, "\(frame.sequence)")
  }

  package func stateChanged(_ state: PreviewState) { send(.state, state.rawValue) }

  /// Processes messages from the helper.
  package func flush() {
    let isWaiting = helper.takeMessages { word, _ in
      if word == .done { isBusy = false }
    }
    if !isWaiting { handleLoss() }
  }

  package func finish() {
    flush()
    isBusy = false
  }

  /// The mode of the terminal while another program uses it, so that it can be restored, or `nil` without a
  /// pause.
  var stateWhilePaused: TerminalState? { pauseCount > 0 ? TerminalState.of(terminal.rawValue) : nil }
  /// Whether another process group is in the foreground of the terminal.
  var isInBackground: Bool { CurrentProcess.isInBackground(terminal.rawValue) }

  /// Releases the terminal to another program, which may write when this function returns, or uses it again
  /// after the last pause has ended. A helper that does not release the terminal is killed.
  package func pause(_ isPaused: Bool) {
    pauseCount += isPaused ? 1 : -1
    guard pauseCount == (isPaused ? 1 : 0), send(isPaused ? .pause : .resume, ""), isPaused else { return }
    let end = MonotonicClock.now + patience
    while isOpen {
      guard case .message(let word, _) = helper.next(until: end) else { return handleLoss() }
      if word == .terminalReleased { return }
      if word == .done { isBusy = false }
    }
  }

  /// Restores the terminal and writes the outcome of the session, unless it is `nil`.
  package func end(_ outcome: String?) {
    guard helper.isRunning else { return }
    send(.end, outcome ?? "")
    _ = waitForExit(within: Self.closeTimeout)
  }

  /// Handles the loss of the helper: restores the terminal, and the session continues.
  private func handleLoss() {
    guard helper.isRunning else { return }
    let how = ViewfinderHelper.exitDescription(waitForExit(within: Self.exitTimeout))
    whenLost("the viewfinder is no longer shown: \(how); the session continues")
  }

  /// Waits for the exit of the helper, at most `time` nanoseconds, and restores the terminal if the helper
  /// has not done so. Returns the exit status, or `nil` if the helper was killed.
  private func waitForExit(within time: UInt64) -> ExitStatus? {
    isBusy = false
    guard helper.isRunning else { return nil }
    let status = helper.waitForExit(within: time)
    switch status {
    // The helper has restored the terminal, or has not used it.
    case .exited(0), .exited(ViewfinderHelper.confinementFailed),
      .exited(ViewfinderHelper.libraryUnavailable):
      break
    default: if hasRing { restore() }
    }
    return status
  }

  /// Restores the terminal, unless another process group is in the foreground and has set its own mode.
  private func restore() {
    guard !isInBackground else { return }
    if !hasRoom(until: MonotonicClock.now + Self.writeTimeout) {
      // The rest of an image that the terminal does not accept is blocking the output.
      TerminalMode.discardOutput(terminal.rawValue)
      guard hasRoom(until: MonotonicClock.now) else { return }
    }
    try? Descriptor.write(Array(Self.restoration.utf8), toNumber: terminal.rawValue)
  }

  private func hasRoom(until end: UInt64) -> Bool {
    (try? Poller.wait([(terminal.rawValue, .writable)], until: end))?[0].contains(.writable) ?? false
  }

  /// Sends a message and returns whether it was sent. Nothing is sent to an exited helper.
  @discardableResult
  private func send(_ word: HostMessageKind, _ text: String, _ descriptors: [Int32] = []) -> Bool {
    send(word, bytes: Array(text.utf8), descriptors)
  }

  @discardableResult
  private func send(_ word: HostMessageKind, bytes: [UInt8], _ descriptors: [Int32] = []) -> Bool {
    isOpen && take(helper.send(word, bytes, descriptors))
  }

  /// Handles the result of sending a message, and returns whether it was sent.
  private func take(_ sending: ViewfinderHelper.SendResult) -> Bool {
    if sending == .lost { handleLoss() }
    return sending == .sent
  }
}
