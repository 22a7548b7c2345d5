// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import PolicyExplanation
internal import Viewfinders

/// A viewfinder in a window of the user's compositor.
struct WindowPreview {
  let viewfinder: WindowViewfinder
  private let console: Console

  /// Opens a window.
  ///
  /// - Throws: A `CommandFailure` if the window cannot be shown; nothing is launched then.
  static func start(_ console: Console) throws(CommandFailure) -> WindowPreview {
    let socket: String
    do { socket = try CompositorSocket.path(console.environment) } catch { throw refusal("\(error)") }
    do throws(WindowViewfinderError) {
      let viewfinder = try WindowViewfinder.start(at: socket)
      viewfinder.whenLost = { text in console.note("darkroom: \(text)") }
      return WindowPreview(viewfinder: viewfinder, console: console)
    } catch {
      switch error {
      case .program(let error):
        throw CommandFailure(
          .machine,
          "the viewfinder cannot be shown: \(error); check that \(WindowViewfinder.program) is in the directory of darkroom"
        )
      case .noReply(let how):
        throw CommandFailure(
          .machine,
          "the viewfinder cannot be shown in a window of \(TextTable.printable(socket)): \(how); use --preview terminal or "
            + "--preview FILE"
        )
      case .refused(let reason): throw refusal(TextTable.printable(reason))
      }
    }
  }

  private static func refusal(_ reason: String) -> CommandFailure {
    CommandFailure(
      .usage,
      "the viewfinder cannot be shown in a window: \(reason); run the command in a Wayland session, or use "
        + "--preview terminal or --preview FILE"
    )
  }

  /// Closes the window and prints a summary with the outcome. Without an `outcome`, nothing is printed.
  func end(_ outcome: String?) {
    guard let total = viewfinder.end(outcome), let outcome else { return }
    console.note("\(TextTable.printable(total)); \(outcome)")
  }
}
