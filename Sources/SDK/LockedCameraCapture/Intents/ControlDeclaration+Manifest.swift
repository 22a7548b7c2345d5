// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension ControlWidget {
  /// The declaration of the control.
  public static var declaration: ControlDeclaration { Self().body.declaration }

  /// Returns the control as an element of `controls` in the app's manifest, `app.json`.
  ///
  /// - Parameters:
  ///   - identifier: The ID of the extension that the control launches.
  ///   - intent: The ID of the app's capture intent, or `nil` if the manifest has none.
  /// - Returns: The JSON text.
  public static func manifestEntry(extension identifier: String, intent: String? = nil) -> String {
    declaration.manifestEntry(extension: identifier, intent: intent).text(.indented)
  }

  /// Returns the manifest entry of the control with the value that it currently shows.
  ///
  /// - Parameters:
  ///   - identifier: The ID of the extension that the control launches.
  ///   - intent: The ID of the app's capture intent, or `nil` if the manifest has none.
  /// - Returns: The JSON text.
  /// - Throws: The error of the value provider.
  public static func currentManifestEntry(
    extension identifier: String,
    intent: String? = nil
  ) async throws -> String {
    try await Self().body.currentDeclaration().manifestEntry(extension: identifier, intent: intent)
      .text(.indented)
  }

  /// Compares the control with the app's manifest.
  ///
  /// - Parameter text: The contents of `app.json`.
  /// - Returns: A message for each difference; empty if they agree.
  public static func differences(fromManifest text: String) -> [String] {
    declaration.differences(fromManifest: text)
  }
}

extension ControlDeclaration {
  /// Returns the manifest entry.
  func manifestEntry(extension identifier: String, intent: String?) -> JSONValue {
    .object([
      "id": .string(kind),
      "title": .string((displayName ?? button.title).key),
      "extension": .string(identifier),
      "description": effectiveDescription.map(JSONValue.string),
      "icon": button.icon.map(JSONValue.string),
      "intent": intent.map(JSONValue.string),
      "requiresAuthentication": button.authenticationPolicy == .alwaysAllowed ? nil : true,
    ])
  }

  /// The description of the control, or else of its intent.
  private var effectiveDescription: String? {
    description?.key ?? button.intentDescription?.descriptionText.key
  }

  /// Returns the differences between the declaration and the manifest.
  func differences(fromManifest text: String) -> [String] {
    let manifest: JSONValue
    do { manifest = try JSONNode.parse(Array(text.utf8), limits: .document).value } catch {
      return ["app.json is not JSON: \(error)"]
    }
    guard let entry = manifest["controls"]?.elements?.first(where: { $0["id"]?.string == kind }) else {
      return ["app.json has no control with the ID \"\(kind)\"; add the result of manifestEntry(extension:)"]
    }
    let expected = manifestEntry(
      extension: entry["extension"]?.string ?? "",
      intent: entry["intent"]?.string
    )
    var sentences: [String] = []
    for name in ["title", "description", "icon", "requiresAuthentication"] {
      let (declared, found) = (expected[name], entry[name])
      // The manifest may contain the default value explicitly.
      if declared == found || declared == nil && found == .bool(false) { continue }
      sentences.append(
        "\(name) of the control \"\(kind)\" is \(found?.text() ?? "missing") in app.json and "
          + "\(declared?.text() ?? "missing") in its declaration; make them equal"
      )
    }
    return sentences
  }
}
