// SPDX-License-Identifier: Apache-2.0

import Foundation
import LockedCameraCapture

/// Settings that the app and the extension share.
struct LumenContext: Codable, Sendable, Equatable {
  enum Position: String, Codable, Sendable { case front, back }
  struct Filter: Codable, Sendable, Equatable {
    var name: String
    var strength: Double
  }
  var position: Position = .back
  var purchasedFilters: [Filter] = []
  var lastUsed = Date(timeIntervalSince1970: 0)
  var flash: Bool?
}

struct LumenCaptureIntent: CameraCaptureIntent {
  typealias AppContext = LumenContext
  static let title: LocalizedStringResource = "Lumen"
  static let description = IntentDescription(
    "Capture photos.",
    categoryName: "Camera",
    searchKeywords: ["photo"]
  )
  static let openAppWhenRun: Bool = true
  static let supportedModes: IntentModes = [.background, .foreground(.dynamic)]
  static let isDiscoverable: Bool = true
  static let authenticationPolicy: IntentAuthenticationPolicy = .alwaysAllowed

  @MainActor
  func perform() async throws -> some IntentResult {
    do {
      if let context = try await LumenCaptureIntent.appContext { Model.shared.position = context.position }
    } catch {
      Model.shared.lastError = error.localizedDescription
    }
    return .result()
  }
}

/// An intent without a context, whose title has a comment for translators.
struct PlainCaptureIntent: CameraCaptureIntent {
  static let title = LocalizedStringResource("Plain camera", comment: "Title of the control")
  static var description: IntentDescription? { "Nothing but a camera." }
  func perform() async throws -> some IntentResult { .result() }
}

@MainActor
final class Model {
  static let shared = Model()
  var position: LumenContext.Position = .back
  var lastError: String?
}

struct LumenControl: ControlWidget {
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "org.example.lumen.control") {
      ControlWidgetButton(action: LumenCaptureIntent()) {
        Label("Lumen", systemImage: "camera.shutter.button")
      }
    }
    .displayName("Lumen")
    .description("Opens the camera.")
  }
}

struct PlainControl: ControlWidget {
  var body: some ControlWidgetConfiguration {
    StaticControlConfiguration(kind: "org.example.lumen.plain") {
      ControlWidgetButton(action: PlainCaptureIntent()) {
        Label("Plain", systemImage: "camera")
      } actionLabel: { isActive in
        Label(isActive ? "Opening" : "Open", systemImage: "camera.fill")
      }
    }
  }
}

@main
struct LumenWidgets: WidgetBundle {
  var body: some Widget {
    LumenControl()
    PlainControl()
  }
}
