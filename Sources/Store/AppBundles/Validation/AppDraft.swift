// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The parsed contents of an `app.json`, even if it has errors, because the other manifests are validated
/// against it.
struct AppDraft {
  /// The ID of the app, or `nil` if it is missing or invalid.
  var id: String?
  /// The display name of the app.
  var name: String?
  /// The command that opens the app.
  var open: [String] = []
  /// The usage descriptions of the app.
  var usageDescriptions = UsageDescriptions()
  /// The resources that have a usage description, valid or not, so that one problem is not reported twice.
  var namedResources: Set<ProtectedResource> = []
  /// The groups of the app.
  var groups: [String] = []
  /// The controls of the app, with their positions.
  var controls: [DraftControl] = []

  /// A control with its position.
  struct DraftControl {
    /// The control, as far as it could be parsed.
    var control: CaptureControl
    /// The key path: `controls[0]`.
    var key: String
    /// The JSON object.
    var node: JSONNode

    /// Returns the position of a value, or of the control if the key is missing.
    func position(_ name: String) -> TextPosition { node[name]?.position ?? node.position }
  }

  /// Parses a manifest.
  init(_ node: JSONNode, _ reader: inout ManifestReader) {
    let members = reader.object(node, "", .app)
    id = reader.identifier(members["id"], "id")
    name = reader.text(members["name"], "name")
    usageDescriptions = reader.usageDescriptions(members["usageDescriptions"])
    namedResources = Set(ProtectedResource.allCases.filter { node["usageDescriptions"]?[$0.rawValue] != nil })
    readOpen(members["open"], &reader)
    readGroups(members["groups"], &reader)
    readControls(members["controls"], &reader)
  }

  /// The manifest, or `nil` if a required value is missing.
  var manifest: AppManifest? {
    guard let id, let name else { return nil }
    return AppManifest(
      id: id,
      name: name,
      open: open,
      usageDescriptions: usageDescriptions,
      groups: groups,
      controls: controls.map(\.control)
    )
  }

  private mutating func readOpen(_ node: JSONNode?, _ reader: inout ManifestReader) {
    let words = reader.elements(node, "open")
    if let node, words.isEmpty, case .array = node.kind { reader.add(.textEmpty, "open", at: node.position) }
    // Only the program name must not be empty.
    open = words.enumerated().compactMap {
      reader.text($0.element.node, $0.element.key, allowsEmpty: $0.offset > 0)
    }
  }

  private mutating func readGroups(_ node: JSONNode?, _ reader: inout ManifestReader) {
    let prefix = "group."
    for element in reader.elements(node, "groups") {
      guard let id = reader.text(element.node, element.key) else { continue }
      if !id.hasPrefix(prefix) {
        reader.add(.badGroup(found: id), element.key, at: element.node.position)
      } else if let problem = ReverseDNSName.problem(with: id)
        ?? ReverseDNSName.problem(with: String(id.dropFirst(prefix.count)))
      {
        reader.add(.badIdentifier(found: id, problem: problem), element.key, at: element.node.position)
      } else if groups.contains(id) {
        reader.add(.repeated(id), element.key, at: element.node.position)
      } else {
        groups.append(id)
      }
    }
  }

  private mutating func readControls(_ node: JSONNode?, _ reader: inout ManifestReader) {
    var ids: Set<String> = []
    for element in reader.elements(node, "controls") {
      let members = reader.object(element.node, element.key, .control)
      let id = reader.text(members["id"], "\(element.key).id")
      let title = reader.text(members["title"], "\(element.key).title")
      if let id, !ids.insert(id).inserted {
        reader.add(.controlRepeated(id: id), "\(element.key).id", at: members["id"]?.position)
      }
      let isGuarded = reader.boolean(
        members["requiresAuthentication"],
        "\(element.key).requiresAuthentication"
      )
      // The extension of a control is checked even if the control's ID or title is invalid.
      var control = CaptureControl(id: id ?? "", title: title ?? "", extensionID: "")
      control.summary = reader.text(members["description"], "\(element.key).description")
      control.icon = reader.text(members["icon"], "\(element.key).icon").map(Self.icon)
      control.intent = reader.identifier(members["intent"], "\(element.key).intent")
      control.authentication = isGuarded == true ? .required : .notNeeded
      guard let id = launched(members["extension"], element.key, &reader) else { continue }
      control.extensionID = id
      controls.append(DraftControl(control: control, key: element.key, node: element.node))
    }
  }

  /// Returns the extension that a control launches. A list is an error, because all but one extension would
  /// be ignored silently.
  private func launched(_ node: JSONNode?, _ key: String, _ reader: inout ManifestReader) -> String? {
    if let node, case .array(let elements) = node.kind {
      reader.add(.notOneExtension(count: elements.count), "\(key).extension", at: node.position)
      return nil
    }
    return reader.text(node, "\(key).extension")
  }

  /// Returns the icon for a text. A slash makes it a path, because no icon name contains a slash.
  private static func icon(_ text: String) -> CaptureControl.Icon {
    text.contains("/") ? .file(text) : .named(text)
  }
}
