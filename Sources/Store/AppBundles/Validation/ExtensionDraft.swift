// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What could be read of an `extension.json`, faults or not, with the places that later judgements point at.
struct ExtensionDraft {
  /// The extension's id, if it is one.
  var id: String?
  /// The extension's name.
  var name: String?
  /// The path of its program.
  var executable: String?
  /// The program's arguments.
  var arguments: [String] = []
  /// How it talks with the host.
  var hostProtocol: HostProtocol?
  /// The policy as it is written.
  var policy: String?
  /// The seconds that it has to show a viewfinder.
  var launchDeadline: Double?
  /// The machines that it is for.
  var architectures: [Architecture] = []
  /// What it wants in its environment.
  var environment: [String: String] = [:]
  /// The reasons that it gives.
  var usageDescriptions = UsageDescriptions()
  /// How frames come to it.
  var frames: FrameDelivery?
  /// The id of the capture intent that it belongs to.
  var intent: String?
  /// The orientations that it can draw in.
  var orientations: [InterfaceOrientation] = []
  /// Whether it may be started ahead.
  var warm: Bool?
  /// The whole document.
  let node: JSONNode

  /// Reads a manifest.
  init(_ node: JSONNode, _ reader: inout ManifestReader) {
    self.node = node
    let members = reader.object(node, "", .captureExtension)
    id = reader.identifier(members["id"], "id")
    name = reader.text(members["name"], "name")
    executable = reader.text(members["executable"], "executable")
    arguments = reader.texts(members["arguments"], "arguments", allowsEmpty: true)
    hostProtocol = reader.choice(members["protocol"], "protocol", HostProtocol.self)
    policy = reader.text(members["policy"], "policy")
    let range = ExtensionManifest.launchDeadlines
    launchDeadline = reader.number(members["launchDeadline"], "launchDeadline", range)
    usageDescriptions = reader.usageDescriptions(members["usageDescriptions"])
    frames = reader.choice(members["frames"], "frames", FrameDelivery.self)
    intent = reader.identifier(members["intent"], "intent")
    orientations = Self.choices(members["orientations"], "orientations", &reader)
    architectures = Self.choices(members["architectures"], "architectures", &reader)
    warm = reader.truth(members["warm"], "warm")
    readEnvironment(members["environment"], &reader)
    judgeFrames(&reader)
    if warm == true, hostProtocol == HostProtocol.none {
      reader.add(.warmNeedsProtocol, "warm", at: position("warm"))
    }
  }

  /// Where a key's value stands, or the document if it does not have the key.
  func position(_ key: String) -> TextPosition { node[key]?.position ?? node.position }

  /// Whether the manifest says that frames shall come.
  var asksForFrames: Bool { frames == .ring || frames == .stdin }

  /// The manifest, if what it must have is there.
  func manifest(policy: PolicyReference?) -> ExtensionManifest? {
    guard let id, let name, let executable, let hostProtocol, let policy else { return nil }
    let standard = FrameDelivery.standard(for: hostProtocol, camera: usageDescriptions[.camera])
    return ExtensionManifest(
      id: id,
      name: name,
      executable: executable,
      arguments: arguments,
      hostProtocol: hostProtocol,
      policy: policy,
      launchDeadline: launchDeadline ?? ExtensionManifest.defaultLaunchDeadline,
      architectures: architectures,
      environment: environment,
      usageDescriptions: usageDescriptions,
      frames: frames ?? standard,
      intent: intent,
      orientations: orientations,
      preparation: warm == true ? .ahead : .atLaunch
    )
  }

  /// Some of a few values, each once and at least one.
  private static func choices<Choice: RawRepresentable<String> & CaseIterable & Equatable>(
    _ node: JSONNode?,
    _ key: String,
    _ reader: inout ManifestReader
  ) -> [Choice] {
    let elements = reader.elements(node, key)
    if let node, elements.isEmpty, case .array = node.kind { reader.add(.textEmpty, key, at: node.position) }
    var found: [Choice] = []
    for element in elements {
      guard let choice = reader.choice(element.node, element.key, Choice.self) else { continue }
      if found.contains(choice) {
        reader.add(.repeated(choice.rawValue), element.key, at: element.node.position)
      } else {
        found.append(choice)
      }
    }
    return found
  }

  private mutating func readEnvironment(_ node: JSONNode?, _ reader: inout ManifestReader) {
    guard let node, let members = reader.members(node, "environment") else { return }
    for member in members {
      let key = "environment.\(member.name)"
      if let fault = EnvironmentRules.fault(ofName: member.name) {
        reader.add(fault, key, at: member.position)
      }
      environment[member.name] = reader.text(member.value, key, allowsEmpty: true)
    }
  }

  private func judgeFrames(_ reader: inout ManifestReader) {
    switch (frames, hostProtocol) {
    case (.stdin, .version1): reader.add(.stdinNeedsNoProtocol, "frames", at: position("frames"))
    case (.ring, .some(.none)): reader.add(.ringNeedsProtocol, "frames", at: position("frames"))
    default: break
    }
    // A reason that is there but wrong has been named already.
    if asksForFrames, node["usageDescriptions"]?[ProtectedResource.camera.rawValue] == nil {
      reader.add(.cameraReasonMissing, "usageDescriptions.camera", at: position("usageDescriptions"))
    }
  }
}
