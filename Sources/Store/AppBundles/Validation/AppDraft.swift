// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What could be read of an `app.json`, faults or not: the other manifests are judged against it.
struct AppDraft {
  /// The app's id, if it is one.
  var id: String?
  /// The app's name.
  var name: String?
  /// The command that opens the app.
  var open: [String] = []
  /// The reasons that the app gives.
  var usageDescriptions = UsageDescriptions()
  /// The resources that the app names, with a proper reason or not: one fault is not reported twice.
  var namedResources: Set<ProtectedResource> = []
  /// The app's groups.
  var groups: [String] = []
  /// The app's controls, with the places where they stand.
  var controls: [DraftControl] = []

  /// A control with the place where it stands.
  struct DraftControl {
    /// The control as far as it could be read.
    var control: CaptureControl
    /// Its key: `controls[0]`.
    var key: String
    /// Its object.
    var node: JSONNode

    /// Where one of its values stands, or the control if it does not have the key.
    func position(_ name: String) -> TextPosition { node[name]?.position ?? node.position }
  }

  /// Reads a manifest.
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

  /// The manifest, if what it must have is there.
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
    // Only the program must have a name; an argument may be empty.
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
      let isGuarded = reader.truth(members["requiresAuthentication"], "\(element.key).requiresAuthentication")
      // A control without a proper id or title is judged for the extension that it names all the same.
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

  /// The extension that a control launches: exactly one, because of several the others would be ignored in silence.
  private func launched(_ node: JSONNode?, _ key: String, _ reader: inout ManifestReader) -> String? {
    if let node, case .array(let elements) = node.kind {
      reader.add(.notOneExtension(count: elements.count), "\(key).extension", at: node.position)
      return nil
    }
    return reader.text(node, "\(key).extension")
  }

  /// What an icon's text means: a slash makes it a path, because no name in a theme has one.
  private static func icon(_ text: String) -> CaptureControl.Icon {
    text.contains("/") ? .file(text) : .named(text)
  }
}
