// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost

/// Where the viewfinder of a command's session is shown: in one place, or nowhere.
struct ShownPreview {
  /// In the command's terminal.
  var terminal: ShownViewfinder?
  /// In a window.
  var window: ShownWindow?
  /// As a stream into a file or a named pipe.
  var path: String?

  /// What shows it, if that is no stream.
  var screen: (any PreviewScreen)? {
    if let terminal { return terminal.viewfinder }
    return window?.viewfinder
  }

  /// Ends it, with a line that says how the session went; nil: with none.
  func end(_ outcome: String?) {
    terminal?.end(outcome)
    window?.end(outcome)
  }
}
