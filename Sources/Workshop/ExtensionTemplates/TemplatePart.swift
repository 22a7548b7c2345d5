// SPDX-License-Identifier: Apache-2.0

/// A file of a new app before the placeholders are replaced.
struct TemplatePart {
  /// The directory of the extension, relative to that of the app.
  static let extensionDirectory = "\(ExtensionTemplate.bundle)/Extensions/Capture"

  /// The path relative to the directory of the app.
  var path: String
  /// The permissions.
  var mode: UInt32
  /// The template.
  var text: String
  /// The README's description of the file, or `nil` if the README does not list it.
  var meaning: String?

  /// Creates a file from an embedded resource.
  init(_ path: String, _ bytes: [UInt8], _ meaning: String? = nil, mode: UInt32 = 0o644) {
    self.path = path
    self.mode = mode
    text = String(decoding: bytes, as: UTF8.self)
    self.meaning = meaning
  }

  /// Creates an executable file from an embedded resource.
  static func program(_ path: String, _ bytes: [UInt8], _ meaning: String) -> TemplatePart {
    TemplatePart(path, bytes, meaning, mode: 0o755)
  }

  /// The files of every app, regardless of the language of its extension.
  static var common: [TemplatePart] {
    [
      .program("test", PackageResources.test_sh_template, "runs the extension through the real host"),
      TemplatePart(
        "shots.txt",
        PackageResources.shots_txt_template,
        "what the person does in the test, and what is expected of the extension"
      ),
      TemplatePart(
        "interrupted.txt",
        PackageResources.interrupted_txt_template,
        "the same where the person takes the camera away"
      ),
      TemplatePart(
        "\(ExtensionTemplate.bundle)/app.json",
        PackageResources.app_json_template,
        "the app's manifest, with its control"
      ),
      TemplatePart(
        "\(extensionDirectory)/extension.json",
        PackageResources.extension_json_template,
        "the extension's manifest"
      ),
      TemplatePart("README.md", PackageResources.README_md_template),
    ]
  }
}
