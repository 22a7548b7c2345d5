// SPDX-License-Identifier: Apache-2.0

/// The languages for the capture extension of a new app.
package enum TemplateLanguage: String, Sendable, CaseIterable {
  /// Swift with the package's library; the app is in Swift, too.
  case swift
  /// C with the library of `Sources/SDK/CDarkroom`, whose sources are part of the app.
  case c
  /// Python with Darkroom's package, which the app contains; the app is in Python, too.
  case python
  /// Shell with only POSIX utilities and dd(1).
  case shell

  /// Whether the app must be compiled before it can be installed.
  package var isCompiled: Bool {
    switch self {
    case .swift, .c: true
    case .python, .shell: false
    }
  }

  /// The name of the extension's program in its bundle.
  var executable: String {
    switch self {
    case .swift, .c: "capture"
    case .python: "capture.py"
    case .shell: "capture.sh"
    }
  }

  /// The name of the app's program in `bin` in its bundle.
  var importer: String {
    switch self {
    case .swift: "app"
    case .python: "import.py"
    case .c, .shell: "import.sh"
    }
  }

  /// The file name extension of the images.
  var suffix: String {
    switch self {
    case .swift, .c: "jpg"
    case .python: "png"
    case .shell: "pgm"
    }
  }

  /// The shell command with which the app's test recognizes an image.
  var imageCheckCommand: String {
    switch self {
    // The first bytes of each JPEG file.
    case .swift, .c: #"[ "$(od -An -N3 -tx1 "$picture" | tr -d ' ')" = ffd8ff ]"#
    // The signature of PNG, and the header with the width and the height.
    case .python:
      #"[ "$(od -An -N24 -tx1 "$picture" | tr -d ' \n')" = 89504e470d0a1a0a0000000d4948445200000140000000f0 ]"#
    // A header of three lines, then one byte for each pixel.
    case .shell:
      #"[ "$(head -n 2 "$picture" | tail -n 1) $(wc -c <"$picture")" = '320 240 76815' ]"#
    }
  }
}
