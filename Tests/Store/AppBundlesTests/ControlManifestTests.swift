// SPDX-License-Identifier: Apache-2.0

import AppBundles
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Controls in `app.json`, and the capture intent that they share with their extensions.
@Suite struct ControlManifestTests {
  private static let control = #""title": "Take a picture", "#
  private static let intent = #""intent": "org.example.camera.intent", "#

  /// Returns a bundle whose control and extension have the given members in addition to the required ones.
  private func sample(_ control: String, _ captureExtension: String = "") throws -> SampleBundle {
    let sample = try SampleBundle()
    try sample.change("app.json", Self.control, to: Self.control + control)
    try sample.change(
      "Extensions/Capture/extension.json",
      #""name": "Capture","#,
      to: #""name": "Capture","# + captureExtension
    )
    return sample
  }

  @Test func `parses the presentation and the authentication requirement of a control`() throws {
    let all =
      #""description": "At once.", "icon": "camera-photo", "requiresAuthentication": true, "# + Self.intent
    let sample = try sample(all, Self.intent + #""orientations": ["landscapeLeft", "portrait"],"#)
    let bundle = try #require(ManifestValidator(machine: "x86_64").validate(sample.path).bundle)
    let expected = CaptureControl(
      id: "shutter",
      title: "Take a picture",
      extensionID: "org.example.camera.capture",
      summary: "At once.",
      icon: .named("camera-photo"),
      intent: "org.example.camera.intent",
      authentication: .required
    )
    #expect(bundle.manifest.controls == [expected])
    #expect(bundle.extensions.first?.manifest.capture.intent == "org.example.camera.intent")
    #expect(bundle.extensions.first?.manifest.capture.orientations == [.landscapeLeft, .portrait])
    let schema = SchemaCheck(try JSONNode.parse(ManifestSchema.app.bytes).value)
    let text = try #require(try FileSystem.contents("\(sample.path)/app.json"))
    #expect(try schema.faults(in: JSONNode.parse(text).value) == [])
  }

  @Test func `a control requires no authentication by default`() throws {
    let sample = try SampleBundle()
    let bundle = try #require(ManifestValidator(machine: "x86_64").validate(sample.path).bundle)
    #expect(bundle.manifest.controls.map(\.authentication) == [.notNeeded])
    #expect(bundle.manifest.controls.map(\.icon) == [nil])
  }

  @Test func `resolves an icon with a slash as a file of the bundle`() throws {
    let sample = try sample(#""icon": "images/shutter.svg", "#)
    let missing =
      #"app.json:8:59: controls[0].icon: "images/shutter.svg": No such file or directory (ENOENT); "#
    #expect(sample.faults().count == 1 && sample.faults()[0].hasPrefix(missing), "\(sample.faults())")
    try FileSystem.makeDirectories("\(sample.path)/images")
    try sample.write("images/shutter.svg", "<svg/>")
    #expect(sample.faults() == [])
    let bundle = try #require(ManifestValidator(machine: "x86_64").validate(sample.path).bundle)
    #expect(bundle.manifest.controls.first?.icon == .file("images/shutter.svg"))
    try sample.change("app.json", "images/shutter.svg", to: "../../etc/passwd")
    #expect(sample.faults().first?.contains("is not a path inside") == true, "\(sample.faults())")
  }

  @Test(arguments: [
    (#"["org.example.camera.capture", "org.example.camera.film"]"#, 2), ("[]", 0),
  ])
  func `requires exactly one extension for a control`(value: String, count: Int) throws {
    let sample = try SampleBundle()
    try sample.change(
      "app.json",
      #""extension": "org.example.camera.capture""#,
      to: #""extension": \#(value)"#
    )
    #expect(
      sample.faults() == [
        "app.json:8:64: controls[0].extension: a control launches exactly one capture extension, but this control names"
          + " \(count); write the ID of one extension, and add a separate control for each other extension"
      ]
    )
  }

  @Test func `requires the same capture intent of a control and its extension`() throws {
    let other = #""intent": "org.example.camera.film", "#
    #expect(try sample(Self.intent, Self.intent).faults() == [])
    let extensionOnly = try sample("", Self.intent).faults()
    #expect(
      extensionOnly.count == 1
        && extensionOnly[0].hasPrefix("app.json:8:5: controls[0].intent: the capture intent is missing")
    )
    let controlOnly = try sample(Self.intent).faults()
    #expect(
      controlOnly.count == 1
        && controlOnly[0].contains("extension.json:1:1: intent: the capture intent is missing")
    )
    let both = try sample(Self.intent, other).faults()
    #expect(
      both.count == 1 && both[0].contains(#""org.example.camera.film" differs from the capture intent"#)
    )
  }

  @Test func `refuses a second capture intent in one app`() throws {
    let sample = try sample(Self.intent, Self.intent)
    let second =
      #"{ "id": "film", "title": "Film", "extension": "org.example.camera.capture", "intent": "org.example.x" },"#
    try sample.change("app.json", #""controls": ["#, to: #""controls": [\#(second)"#)
    let faults = sample.faults()
    #expect(
      faults.contains { $0.hasPrefix("app.json:") && $0.contains("differs from the capture intent") },
      "\(faults)"
    )
  }

  @Test(arguments: [#""requiresAuthentication": "yes", "#, #""intent": "Film", "#, #""icon": 1, "#])
  func `validator and schema both reject a control member of the wrong type`(member: String) throws {
    let sample = try sample(member)
    #expect(!ManifestValidator(machine: "x86_64").validate(sample.path).errors.isEmpty)
    let schema = SchemaCheck(try JSONNode.parse(ManifestSchema.app.bytes).value)
    let text = try #require(try FileSystem.contents("\(sample.path)/app.json"))
    #expect(try schema.faults(in: JSONNode.parse(text).value).count == 1)
  }
}
