// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension ControlWidget {
  /// The control as a value.
  public static var declaration: ControlDeclaration { Self().body.declaration }

  /// The control as an element of `controls` in the app's manifest, `app.json`.
  ///
  /// `extension` is the id of the extension that it launches; `intent` the id of the app's capture intent, where the
  /// manifest has one.
  public static func manifestEntry(extension identifier: String, intent: String? = nil) -> String {
    declaration.manifestEntry(extension: identifier, intent: intent).text(.indented)
  }

  /// The same with the value that the control shows at this moment; throws what the value's provider throws.
  public static func currentManifestEntry(
    extension identifier: String,
    intent: String? = nil
  ) async throws -> String {
    try await Self().body.currentDeclaration().manifestEntry(extension: identifier, intent: intent)
      .text(.indented)
  }

  /// Compares the control with the app's manifest; gives a sentence for each difference, none if they agree.
  public static func differences(fromManifest text: String) -> [String] {
    declaration.differences(fromManifest: text)
  }
}

extension ControlDeclaration {
  /// The element of the manifest.
  func manifestEntry(extension identifier: String, intent: String?) -> JSONValue {
    .object([
      "id": .string(kind),
      "title": .string((displayName ?? button.title).key),
      "extension": .string(identifier),
      "description": words.map(JSONValue.string),
      "icon": button.icon.map(JSONValue.string),
      "intent": intent.map(JSONValue.string),
      "requiresAuthentication": button.authenticationPolicy == .alwaysAllowed ? nil : true,
    ])
  }

  /// What the control does.
  private var words: String? { description?.key ?? button.intentDescription?.descriptionText.key }

  /// What differs between the declaration and the manifest.
  func differences(fromManifest text: String) -> [String] {
    let manifest: JSONValue
    do { manifest = try JSONNode.parse(Array(text.utf8), limits: .document).value } catch {
      return ["app.json is no JSON: \(error)"]
    }
    guard let entry = manifest["controls"]?.elements?.first(where: { $0["id"]?.string == kind }) else {
      return ["app.json has no control with the id \"\(kind)\"; add what manifestEntry(extension:) gives"]
    }
    let expected = manifestEntry(
      extension: entry["extension"]?.string ?? "",
      intent: entry["intent"]?.string
    )
    var sentences: [String] = []
    for name in ["title", "description", "icon", "requiresAuthentication"] {
      let (declared, found) = (expected[name], entry[name])
      // A member that says what is the default as well.
      if declared == found || declared == nil && found == .bool(false) { continue }
      sentences.append(
        "\(name) of the control \"\(kind)\" is \(found?.text() ?? "missing") in app.json and "
          + "\(declared?.text() ?? "missing") in its declaration; make them equal"
      )
    }
    return sentences
  }
}
