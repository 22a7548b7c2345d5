// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The sample app with its Snapshot extension, put together from what was built beside this program.
struct DemoBundle {
  /// The id of the extension.
  static let extensionID = "org.darkroom.sample.snapshot"
  /// The id of the app.
  static let appID = "org.darkroom.sample"

  /// The app's manifest; a test compares it with the one in `Plugins/SampleApp`.
  static let appManifest: JSONValue = [
    "id": .string(appID),
    "name": "Sample",
    "open": ["darkroom-sample-app"],
    "usageDescriptions": ["camera": "The extensions of this app take pictures and films."],
    "controls": [
      [
        "id": "org.darkroom.sample.shutter", "title": "Take a picture",
        "extension": .string(extensionID),
      ]
    ],
  ]

  /// The extension's manifest; a test compares it with the one in `Plugins/Snapshot`.
  static let extensionManifest: JSONValue = [
    "id": .string(extensionID),
    "name": "Snapshot",
    "executable": "bin/Snapshot",
    "protocol": "1",
    "policy": "capture",
    "usageDescriptions": ["camera": "Takes a picture when the shutter is pressed."],
  ]

  /// Where the bundle is.
  let path: String

  /// Writes the bundle below a directory.
  init(below directory: String, program: String) throws(SystemCallError) {
    path = "\(directory)/Sample"
    let bundle = "\(path)/Extensions/Snapshot"
    try FileSystem.makeDirectories("\(bundle)/bin", mode: 0o755)
    try FileSystem.replaceContents("\(path)/app.json", with: Self.appManifest.bytes(.indented), mode: 0o644)
    try FileSystem.replaceContents(
      "\(bundle)/extension.json",
      with: Self.extensionManifest.bytes(.indented),
      mode: 0o644
    )
    try FileSystem.copyFile(program, to: "\(bundle)/bin/Snapshot", mode: 0o755)
  }
}
