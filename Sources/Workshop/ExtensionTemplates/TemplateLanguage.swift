// SPDX-License-Identifier: Apache-2.0

/// The languages that a new app's capture extension can be written in.
package enum TemplateLanguage: String, Sendable, CaseIterable {
  /// With the package's library; the app is in Swift, too.
  case swift
  /// One file, with nothing but the C library.
  case c
  /// With the standard library; the app is in Python, too.
  case python
  /// With nothing but POSIX tools and dd(1).
  case shell

  /// Whether something has to be compiled before the app can be installed.
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

  /// The name of the app's program below `bin` in its bundle.
  var importer: String {
    switch self {
    case .swift: "app"
    case .python: "import.py"
    case .c, .shell: "import.sh"
    }
  }

  /// How the names of the pictures end.
  var suffix: String { self == .swift ? "jpg" : "pgm" }

  /// The shell command by which the app's own test knows a picture.
  var check: String {
    switch self {
    // Each JPEG file begins with these bytes.
    case .swift: #"[ "$(od -An -N3 -tx1 "$picture" | tr -d ' ')" = ffd8ff ]"#
    // Three lines, and then a byte for each pixel.
    case .c, .python, .shell:
      #"[ "$(head -n 2 "$picture" | tail -n 1) $(wc -c <"$picture")" = '320 240 76815' ]"#
    }
  }
}
