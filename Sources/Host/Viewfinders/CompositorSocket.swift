// SPDX-License-Identifier: Apache-2.0

internal import PolicyExplanation

/// The socket of the user's Wayland compositor.
package enum CompositorSocket {
  /// An error while the socket was looked up.
  package enum Failure: Error, CustomStringConvertible {
    /// `WAYLAND_DISPLAY` is not set.
    case noDisplay
    /// `WAYLAND_DISPLAY` is relative to a runtime directory, and `XDG_RUNTIME_DIR` is not set.
    case noRuntimeDirectory(display: String)

    /// The error message.
    package var description: String {
      switch self {
      case .noDisplay: "WAYLAND_DISPLAY is not set, so that there is no compositor to show it"
      case .noRuntimeDirectory(let display):
        "XDG_RUNTIME_DIR is not set, so that the compositor's socket \(TextTable.printable(display)) is not found"
      }
    }
  }

  /// Returns the path of the socket, from the environment variables that every Wayland client uses.
  package static func path(_ environment: (String) -> String?) throws(Failure) -> String {
    guard let display = environment("WAYLAND_DISPLAY"), !display.isEmpty else { throw .noDisplay }
    if display.hasPrefix("/") { return display }
    guard let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else {
      throw .noRuntimeDirectory(display: display)
    }
    return "\(directory)/\(display)"
  }
}
