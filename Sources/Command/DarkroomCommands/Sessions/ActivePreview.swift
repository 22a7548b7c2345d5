// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost

/// The place where the viewfinder of a command's session is shown, if any.
struct ActivePreview {
  /// The preview in the command's terminal.
  var terminal: TerminalPreview?
  /// The preview in a window.
  var window: WindowPreview?
  /// The path of the file or named pipe to which the stream is written.
  var path: String?

  /// The screen that shows the viewfinder, or `nil` if there is none or the viewfinder is written to a file.
  var screen: (any PreviewDisplay)? {
    if let terminal { return terminal.viewfinder }
    return window?.viewfinder
  }

  /// Ends the preview. `outcome` is printed as the last line, unless it is `nil`.
  func end(_ outcome: String?) {
    terminal?.end(outcome)
    window?.end(outcome)
  }
}
