// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The bundle of the sample app with its Snapshot extension, assembled from the executable next to this
/// program.
struct DemoBundle {
  static let extensionID = "org.darkroom.sample.snapshot"
  static let appID = "org.darkroom.sample"

  /// The manifest of the app. A test compares this value with the manifest in `Plugins/SampleApp`.
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

  /// The manifest of the extension. A test compares this value with the manifest in `Plugins/Snapshot`.
  static let extensionManifest: JSONValue = [
    "id": .string(extensionID),
    "name": "Snapshot",
    "executable": "bin/Snapshot",
    "protocol": "1",
    "policy": "capture",
    "usageDescriptions": ["camera": "Takes a picture when the shutter is pressed."],
  ]

  /// The path of the bundle.
  let path: String

  /// Writes the bundle to a new directory below `directory`.
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
