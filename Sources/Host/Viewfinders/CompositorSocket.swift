// SPDX-License-Identifier: Apache-2.0

internal import PolicyExplanation

/// The socket of the user's Wayland compositor.
package enum CompositorSocket {
  /// An error while the socket was looked up.
  package enum Failure: Error, CustomStringConvertible {
    /// `WAYLAND_DISPLAY` is not set.
    case noDisplay
    /// `WAYLAND_DISPLAY` is relative to a runtime directory, and `XDG_RUNTIME_DIR` is not an absolute path.
    case noRuntimeDirectory(display: String)

    /// The error message.
    package var description: String {
      switch self {
      case .noDisplay: "WAYLAND_DISPLAY is not set"
      case .noRuntimeDirectory(let display):
        "XDG_RUNTIME_DIR is not an absolute path, so the compositor's socket \(TextTable.printable(display)) cannot be found"
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
