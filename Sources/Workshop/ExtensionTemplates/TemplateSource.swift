// SPDX-License-Identifier: Apache-2.0

/// A file of a new app before the placeholders are replaced.
struct TemplateSource {
  /// The directory of the extension, relative to that of the app.
  static let extensionDirectory = "\(ExtensionTemplate.bundle)/Extensions/Capture"

  /// The path relative to the directory of the app.
  var path: String
  /// The permissions.
  var mode: UInt32
  /// The template.
  var text: String
  /// The README's row about the file, or about its directory; `nil` if the README does not list the file.
  var row: Row?

  /// A row of the README's table of files.
  struct Row {
    /// The path of the file or directory, relative to the directory of the app.
    var path: String
    /// The description.
    var summary: String
  }

  /// Creates a file from an embedded resource.
  init(_ path: String, _ bytes: [UInt8], row: Row?, mode: UInt32 = 0o644) {
    self.path = path
    self.mode = mode
    text = String(decoding: bytes, as: UTF8.self)
    self.row = row
  }

  /// Creates a file from an embedded resource, with a row of its own in the README if there is a summary.
  init(_ path: String, _ bytes: [UInt8], _ summary: String? = nil, mode: UInt32 = 0o644) {
    self.init(path, bytes, row: summary.map { Row(path: path, summary: $0) }, mode: mode)
  }

  /// Creates an executable file from an embedded resource.
  static func program(_ path: String, _ bytes: [UInt8], _ summary: String) -> TemplateSource {
    TemplateSource(path, bytes, summary, mode: 0o755)
  }

  /// The files of every app, regardless of the language of its extension.
  static var common: [TemplateSource] {
    [
      .program("test", PackageResources.test_sh_template, "runs the extension through the real host"),
      TemplateSource(
        "shots.txt",
        PackageResources.shots_txt_template,
        "a test script: actions of the user, and the expected results"
      ),
      TemplateSource(
        "interrupted.txt",
        PackageResources.interrupted_txt_template,
        "a test script in which the user revokes the camera permission"
      ),
      TemplateSource(
        "\(ExtensionTemplate.bundle)/app.json",
        PackageResources.app_json_template,
        "the app's manifest, with its control"
      ),
      TemplateSource(
        "\(extensionDirectory)/extension.json",
        PackageResources.extension_json_template,
        "the extension's manifest"
      ),
      TemplateSource("README.md", PackageResources.README_md_template),
    ]
  }
}
