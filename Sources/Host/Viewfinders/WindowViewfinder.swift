// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import CaptureHost
package import LinuxPrimitives
internal import ViewfinderLink

/// Shows a viewfinder in a window of a Wayland compositor, by a program beside this one: `darkroom-window`.
///
/// The program connects to the compositor, so that neither this process nor an extension ever has that connection. It says
/// first whether its window can be shown, then what keys do and whether the person has closed the window, and at the end
/// what there is to say of the frames.
package final class WindowViewfinder: PreviewScreen {
  /// The name of the program, which lies beside this one.
  package static let program = "darkroom-window"
  /// How long the program may take until its window can be shown, in nanoseconds.
  private static let patience: UInt64 = 10_000_000_000
  /// How long it may take to say its last words, and then to end, in nanoseconds.
  private static let farewell: UInt64 = 1_000_000_000
  /// How long it may take from the end of its connection to its own, in nanoseconds.
  private static let decay: UInt64 = 500_000_000

  private let helper: ViewfinderHelper
  /// Is told in a sentence that nothing is shown any more, although the session goes on.
  package var whenLost: (String) -> Void = { _ in }
  /// Whether a frame is on its way.
  package private(set) var isBusy = false
  /// Whether the person has closed the window, and whether the session has still to be told.
  private var closing = Closing.open
  /// The keys of the window.
  private var keys = WindowKeys()
  /// What they ask for.
  private var commands: [SessionCommand] = []
  /// The most of that waits; what is more is forgotten.
  private static let mostCommands = 64
  /// What there is to say of the frames; it is the program's word.
  private var total = ""

  /// How far the closing of a window is.
  private enum Closing {
    /// It is there.
    case open
    /// The person has just closed it.
    case asked
    /// The session knows.
    case told
  }

  private init(_ helper: ViewfinderHelper) { self.helper = helper }

  deinit { _ = end(nil) }

  /// Makes a window at the compositor whose socket this is; it appears with the ring. `beside` is the directory of the
  /// program; nil: that of this one.
  package static func start(
    at socket: String,
    beside directory: String? = nil
  ) throws(WindowViewfinderError) -> WindowViewfinder {
    WindowViewfinder(try startProgram([socket], within: patience, beside: directory))
  }

  /// Starts the program with these words, and waits until it can show something.
  static func startProgram(
    _ words: [String],
    within patience: UInt64,
    beside directory: String?
  ) throws(WindowViewfinderError) -> ViewfinderHelper {
    let helper: ViewfinderHelper
    do throws(SystemCallError) {
      // It has no terminal to write to.
      let nowhere = try FileSystem.open("/dev/null", .write)
      helper = try ViewfinderHelper.start(program, words, errors: nowhere.rawValue, in: directory)
      _ = consume nowhere
    } catch { throw .program(error) }
    switch helper.next(until: MonotonicClock.now + patience) {
    case .message(.ready, _): return helper
    case .message(.refused, let reason):
      _ = helper.conclude(within: decay)
      throw .refused(reason.text)
    default: throw .silent(ViewfinderHelper.words(helper.conclude(within: decay)))
    }
  }

  /// Whether anybody can see it.
  package var isOpen: Bool { helper.isOpen && closing == .open }
  package var writable: Int32? { nil }
  package var readable: Int32? { helper.isOpen ? helper.readable : nil }

  package func begin(_ ring: PreviewRing) { _ = take(helper.offer(ring)) }

  package func show(_ frame: PreviewRing.Frame) {
    guard isOpen, !isBusy else { return }
    isBusy = take(helper.send(.frame, Array("\(frame.sequence)".utf8)))
  }

  package func tell(_ state: PreviewState) { _ = take(helper.send(.state, Array(state.rawValue.utf8))) }

  /// Takes what the program has said.
  package func flush() {
    if !helper.takeMessages(hear) { lose() }
  }

  private func hear(_ word: ProgramWord, _ rest: ViewfinderHelper.Words) {
    switch word {
    case .done: isBusy = false
    case .closed:
      isBusy = false
      if closing == .open { closing = .asked }
    case .pressed: add(keys.press(rest.bytes))
    case .released: add(keys.release(rest.bytes))
    case .leftKeys: add(keys.leave())
    case .total: total = rest.text
    default: break
    }
  }

  package func finish() {
    flush()
    isBusy = false
  }

  private func add(_ more: [SessionCommand]) {
    if commands.count + more.count <= Self.mostCommands { commands += more }
  }

  /// To close the window is to dismiss the session; its keys are those of a terminal.
  package func takeCommand() -> SessionCommand? {
    guard commands.isEmpty else { return commands.removeFirst() }
    guard closing == .asked else { return nil }
    closing = .told
    return .dismiss
  }

  /// Has the window go. Gives what there is to say of the frames that it has shown; nil: nothing, or it was said.
  package func end(_ outcome: String?) -> String? {
    if helper.isRunning {
      let end = MonotonicClock.now + Self.farewell
      var goesOn = take(helper.send(.end, Array((outcome ?? "").utf8)))
      while goesOn, case .message(let word, let rest) = helper.next(until: end) {
        hear(word, rest)
        goesOn = word != .total
      }
      _ = helper.conclude(within: Self.farewell)
    }
    defer { total = "" }
    return total.isEmpty ? nil : total
  }

  /// Takes notice of what has become of a message; whether it has gone out.
  private func take(_ sending: ViewfinderHelper.Sending) -> Bool {
    if sending == .lost { flush() }
    return sending == .sent
  }

  /// The program has ended by itself: the session goes on.
  private func lose() {
    isBusy = false
    guard helper.isRunning else { return }
    let how = ViewfinderHelper.words(helper.conclude(within: Self.decay))
    // Whoever has closed it misses nothing.
    guard closing == .open else { return }
    whenLost("the viewfinder is not shown any more: \(how); the session goes on")
  }
}

/// Why there is no window.
package enum WindowViewfinderError: Error, Sendable, Hashable {
  /// The program cannot be started.
  case program(SystemCallError)
  /// No compositor shows it, for this reason.
  case refused(String)
  /// Nothing was heard of the program; how it has ended.
  case silent(String)
}
