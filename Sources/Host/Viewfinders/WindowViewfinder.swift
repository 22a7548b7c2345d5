// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import CaptureHost
package import LinuxPrimitives
internal import ViewfinderLink

/// Shows a viewfinder in a window of a Wayland compositor with the helper `darkroom-window`.
///
/// The helper connects to the compositor, so that neither this process nor an extension ever has that
/// connection. It first reports whether the window can be shown, then keys and the closing of the window, and
/// at the end a summary of the frames.
package final class WindowViewfinder: PreviewDisplay {
  /// The name of the helper, which is in the directory of this executable.
  package static let program = "darkroom-window"
  /// The time limit until the window can be shown, in nanoseconds.
  private static let patience: UInt64 = 10_000_000_000
  /// The time limit for the helper's last message, and then for its exit, in nanoseconds.
  private static let closeTimeout: UInt64 = 1_000_000_000
  /// The time limit from the loss of the connection to the exit of the helper, in nanoseconds.
  private static let exitTimeout: UInt64 = 500_000_000

  private let helper: ViewfinderHelper
  /// Called with a sentence when the viewfinder is lost while the session continues.
  package var whenLost: (String) -> Void = { _ in }
  /// Whether a frame is being shown.
  package private(set) var isBusy = false
  /// Whether the user closed the window, and whether the session has been notified.
  private var closing = Closing.open
  /// The state of the window's keys.
  private var keys = WindowKeys()
  /// Whether contacts with the picture reach the extension.
  private var isReceivingPointer = false
  /// The pending commands of the keys and of the pointer.
  private var commands = PendingCommands()
  /// The summary of the frames, as reported by the helper.
  private var total = ""

  /// The states of closing a window.
  private enum Closing {
    /// The window is open.
    case open
    /// The user closed the window, and the session has not been notified.
    case requested
    /// The session has been notified.
    case reported
  }

  private init(_ helper: ViewfinderHelper) { self.helper = helper }

  deinit { _ = end(nil) }

  /// Starts a viewfinder. The window appears with the ring.
  ///
  /// - Parameters:
  ///   - socket: The path of the compositor's socket.
  ///   - directory: The directory of the helper, or `nil` for that of this executable.
  /// - Returns: The running viewfinder.
  /// - Throws: An error if the window cannot be shown.
  package static func start(
    at socket: String,
    beside directory: String? = nil
  ) throws(WindowViewfinderError) -> WindowViewfinder {
    WindowViewfinder(try startProgram([socket], within: patience, beside: directory))
  }

  /// Starts the helper with the given arguments, and waits until it can show something.
  static func startProgram(
    _ words: [String],
    within patience: UInt64,
    beside directory: String?
  ) throws(WindowViewfinderError) -> ViewfinderHelper {
    let helper: ViewfinderHelper
    do throws(SystemCallError) {
      // The helper has no terminal for its output.
      let nowhere = try FileSystem.open("/dev/null", .write)
      helper = try ViewfinderHelper.start(program, words, errors: nowhere.rawValue, in: directory)
      _ = consume nowhere
    } catch { throw .program(error) }
    switch helper.next(until: MonotonicClock.now + patience) {
    case .message(.ready, _): return helper
    case .message(.refused, let reason):
      _ = helper.waitForExit(within: exitTimeout)
      throw .refused(reason.text)
    default: throw .noReply(ViewfinderHelper.exitDescription(helper.waitForExit(within: exitTimeout)))
    }
  }

  /// Whether the window is open.
  package var isOpen: Bool { helper.isOpen && closing == .open }
  package var writable: Int32? { nil }
  package var readable: Int32? { helper.isOpen ? helper.readable : nil }

  package func begin(_ ring: PreviewRing) { _ = take(helper.sendRing(ring)) }

  package func show(_ frame: PreviewRing.Frame) {
    guard isOpen, !isBusy else { return }
    isBusy = take(helper.send(.frame, Array("\(frame.sequence)".utf8)))
  }

  package func setReceivingPointer(_ isReceiving: Bool) { isReceivingPointer = isReceiving }

  package func stateChanged(_ state: PreviewState) {
    _ = take(helper.send(.state, Array(state.rawValue.utf8)))
  }

  /// Processes messages from the helper.
  package func flush() {
    if !helper.takeMessages(handle) { handleLoss() }
  }

  private func handle(_ word: HelperMessageKind, _ rest: ViewfinderHelper.Payload) {
    switch word {
    case .done: isBusy = false
    case .closed:
      isBusy = false
      if closing == .open { closing = .requested }
    case .pressed: commands.add(keys.press(rest.bytes))
    case .released: commands.add(keys.release(rest.bytes))
    case .keyboardFocusLost: commands.add(keys.cancelAll())
    case .pointer: if isReceivingPointer { commands.add(SessionCommand.commands(pointerPacket: rest.text)) }
    case .summary: total = rest.text
    default: break
    }
  }

  package func finish() {
    flush()
    isBusy = false
  }

  /// Returns the next command of the user, or `nil` if none is pending. Closing the window dismisses the
  /// session.
  package func takeCommand() -> SessionCommand? {
    if let command = commands.takeFirst() { return command }
    guard closing == .requested else { return nil }
    closing = .reported
    return .dismiss
  }

  /// Closes the window. Returns the summary of the shown frames, or `nil` if there is none or it was returned
  /// before.
  package func end(_ outcome: String?) -> String? {
    if helper.isRunning {
      let end = MonotonicClock.now + Self.closeTimeout
      var isWaiting = take(helper.send(.end, Array((outcome ?? "").utf8)))
      while isWaiting, case .message(let word, let rest) = helper.next(until: end) {
        handle(word, rest)
        isWaiting = word != .summary
      }
      _ = helper.waitForExit(within: Self.closeTimeout)
    }
    defer { total = "" }
    return total.isEmpty ? nil : total
  }

  /// Handles the result of sending a message, and returns whether it was sent.
  private func take(_ sending: ViewfinderHelper.SendResult) -> Bool {
    if sending == .lost { flush() }
    return sending == .sent
  }

  /// Handles the loss of the helper. The session continues.
  private func handleLoss() {
    isBusy = false
    guard helper.isRunning else { return }
    let how = ViewfinderHelper.exitDescription(helper.waitForExit(within: Self.exitTimeout))
    // After the user has closed the window, the loss need not be reported.
    guard closing == .open else { return }
    whenLost("the viewfinder is no longer shown: \(how); the session continues")
  }
}

/// A reason why a window cannot be shown.
package enum WindowViewfinderError: Error, Sendable, Hashable {
  /// The helper cannot be started.
  case program(SystemCallError)
  /// The helper reported that the window cannot be shown, for this reason.
  case refused(String)
  /// The helper did not report anything. The string describes its exit.
  case noReply(String)
}
