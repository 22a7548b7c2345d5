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
  /// The app's controls, with the places of the extensions that they name.
  var controls: [(control: CaptureControl, key: String, position: TextPosition)] = []

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
      let key = "\(element.key).extension"
      let extensionID = reader.text(members["extension"], key)
      if let id, !ids.insert(id).inserted {
        reader.add(.controlRepeated(id: id), "\(element.key).id", at: members["id"]?.position)
      }
      guard let extensionID, let position = members["extension"]?.position else { continue }
      // A control without a proper id or title is judged for the extension that it names all the same.
      let control = CaptureControl(id: id ?? "", title: title ?? "", extensionID: extensionID)
      controls.append((control, key, position))
    }
  }
}
