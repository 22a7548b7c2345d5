// SPDX-License-Identifier: Apache-2.0

import AppBundles
import JSONText
import LockedCameraCapture
import Testing

/// The intent of the controls below.
private struct ShutterIntent: CameraCaptureIntent {
  static let title: LocalizedStringResource = "Take a picture"
  static let description = IntentDescription("Takes a picture with the sample.")

  func perform() async throws -> some IntentResult { .result() }
}

/// A control in the form of Apple's documents.
private struct ShutterControl: ControlWidget {
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "org.example.camera.shutter") {
      ControlWidgetButton(action: ShutterIntent()) {
        Label("Shutter", systemImage: "camera-photo")
      }
    }
    .displayName("Take a picture")
  }
}

/// The configuration of the controls below.
private struct FilmIntent: ControlConfigurationIntent {
  static let title: LocalizedStringResource = "Choose a film"
  var film = "Pan 50"
}

/// A control that an intent configures.
private struct ConfiguredControl: ControlWidget {
  var body: some ControlWidgetConfiguration {
    AppIntentControlConfiguration(kind: "configured", intent: FilmIntent.self) { intent in
      ControlWidgetButton(action: ShutterIntent()) { isActive in
        Label(isActive ? "…" : LocalizedStringResource(stringLiteral: intent.film))
      }
    }
    .description("Its own words.")
  }
}

/// A control with a changing label.
private struct ChangingControl: ControlWidget {
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "changing") {
      ControlWidgetButton(action: ShutterIntent()) {
        Label(LocalizedStringResource("Ready", comment: "On the button"))
      } actionLabel: { isActive in
        Label(isActive ? "Opening" : "Closed")
      }
    }
  }
}

/// The controls of an app.
private struct Controls: WidgetBundle {
  var body: some Widget {
    ShutterControl()
    ChangingControl()
  }
}

/// The number of remaining frames of a film.
private struct FramesLeft: AppIntentControlValueProvider {
  struct Empty: Error {}
  func previewValue(configuration: FilmIntent) -> Int { 36 }
  func currentValue(configuration: FilmIntent) async throws -> Int {
    guard configuration.film == "Pan 50" else { throw Empty() }
    return 7
  }
}

/// A control that shows a value.
private struct CountingControl: ControlWidget {
  var body: some ControlWidgetConfiguration {
    AppIntentControlConfiguration(kind: "counting", provider: FramesLeft()) { left in
      ControlWidgetButton(action: ShutterIntent()) {
        Label(LocalizedStringResource(stringLiteral: "\(left) left"), systemImage: "camera-photo")
      }
    }
    .displayName("Shutter")
    .description("Takes one.")
  }
}

@MainActor @Suite struct ControlDeclarationTests {
  @Test func `creates manifest entries for the controls of a bundle, in their order`() throws {
    let text = Controls.manifestEntries(extension: "org.example.camera.capture", intent: "shoot")
    let controls = try #require(JSONNode.parse(Array(text.utf8), limits: .document).value.elements)
    #expect(controls.map { $0["id"] } == ["org.example.camera.shutter", "changing"])
    #expect(controls.map { $0["title"] } == ["Take a picture", "Ready"])
    #expect(controls.map { $0["intent"] } == ["shoot", "shoot"])
    #expect(ShutterControl.differences(fromManifest: #"{"controls": \#(text)}"#) == [])
  }

  @Test func `creates a manifest entry for a control`() throws {
    let text = ShutterControl.manifestEntry(extension: "org.example.camera.capture")
    let entry = try JSONNode.parse(Array(text.utf8), limits: .document).value
    #expect(
      entry == [
        "id": "org.example.camera.shutter", "title": "Take a picture",
        "extension": "org.example.camera.capture", "description": "Takes a picture with the sample.",
        "icon": "camera-photo",
      ]
    )
    let other = ConfiguredControl.declaration
    #expect(other.kind == "configured")
    #expect(other.button.title == "Pan 50")
    #expect(other.description == "Its own words.")
    #expect(other.button.intent == "ShutterIntent")
  }

  @Test
  func `creates a manifest entry for a configurable control, and evaluates its current value on request`()
    async throws
  {
    let preview = try JSONNode.parse(CountingControl.manifestEntry(extension: "a.b", intent: "c")).value
    #expect(
      preview == [
        "id": "counting", "title": "Shutter", "extension": "a.b", "description": "Takes one.",
        "icon": "camera-photo", "intent": "c",
      ]
    )
    #expect(CountingControl.differences(fromManifest: #"{"controls": [\#(preview.text())]}"#) == [])
    #expect(CountingControl.declaration.button.title == "36 left")
    let current = try await CountingControl().body.currentDeclaration()
    #expect(current.button.title == "7 left" && current.displayName == "Shutter")
    #expect(current.description == "Takes one." && current.kind == "counting")
    #expect(
      try await JSONNode.parse(CountingControl.currentManifestEntry(extension: "a.b", intent: "c")).value
        == preview
    )
    let configured = try JSONNode.parse(ConfiguredControl.manifestEntry(extension: "a.b")).value
    #expect(
      configured == [
        "id": "configured", "title": "Pan 50", "extension": "a.b", "description": "Its own words.",
      ]
    )
    #expect(try await ConfiguredControl().body.currentDeclaration() == ConfiguredControl.declaration)
  }

  @Test func `reports every difference between a declaration and the manifest`() {
    let entry = ShutterControl.manifestEntry(extension: "org.example.camera.capture")
    #expect(ShutterControl.differences(fromManifest: #"{"controls": [\#(entry)]}"#) == [])
    let changed = entry.split(separator: "Take a picture").joined(separator: "Else")
    #expect(
      ShutterControl.differences(fromManifest: #"{"controls": [\#(changed)]}"#) == [
        #"title of the control "org.example.camera.shutter" is "Else" in app.json and "Take a picture" in its "#
          + "declaration; make them equal"
      ]
    )
    #expect(ShutterControl.differences(fromManifest: #"{"controls": []}"#).count == 1)
    #expect(ShutterControl.differences(fromManifest: "{").count == 1)
  }

  @Test func `uses only members that the manifest schema knows`() throws {
    let schema = try JSONNode.parse(ManifestSchema.app.bytes, limits: .document).value
    let known = schema["properties"]?["controls"]?["items"]?["properties"]?.members?.map(\.name) ?? []
    let entry = ShutterControl.manifestEntry(extension: "org.example.camera.capture")
    let names = try JSONNode.parse(Array(entry.utf8), limits: .document).value.members?.map(\.name) ?? []
    #expect(names.count == 5)
    #expect(Set(names).subtracting(known) == [])
  }
}
