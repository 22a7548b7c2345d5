// SPDX-License-Identifier: Apache-2.0

/// A file of a new app before the app's names are in it.
struct TemplatePart {
  /// Where the extension is, from the app's directory.
  static let extensionDirectory = "\(ExtensionTemplate.bundle)/Extensions/Capture"

  /// Its path from the app's directory.
  var path: String
  /// Its permissions.
  var mode: UInt32
  /// The template.
  var text: String
  /// What the README says of it; nil if it says nothing.
  var meaning: String?

  /// Describes a file by what is embedded in this program.
  init(_ path: String, _ bytes: [UInt8], _ meaning: String? = nil, mode: UInt32 = 0o644) {
    self.path = path
    self.mode = mode
    text = String(decoding: bytes, as: UTF8.self)
    self.meaning = meaning
  }

  /// Describes a program by what is embedded in this one.
  static func program(_ path: String, _ bytes: [UInt8], _ meaning: String) -> TemplatePart {
    TemplatePart(path, bytes, meaning, mode: 0o755)
  }

  /// What every app has, whatever its extension is written in.
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
