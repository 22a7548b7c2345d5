// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The parsed contents of an `extension.json`, even if it has errors, with the positions for later
/// diagnostics.
struct ExtensionDraft {
  /// The ID of the extension, or `nil` if it is missing or invalid.
  var id: String?
  /// The display name of the extension.
  var name: String?
  /// The path of the program.
  var executable: String?
  /// The arguments of the program.
  var arguments: [String] = []
  /// The protocol between program and host.
  var hostProtocol: HostProtocol?
  /// The policy, as written.
  var policy: String?
  /// The launch deadline in seconds.
  var launchDeadline: Double?
  /// The supported architectures.
  var architectures: [Architecture] = []
  /// The additional environment variables.
  var environment: [String: String] = [:]
  var usageDescriptions = UsageDescriptions()
  /// The delivery of camera frames.
  var frames: FrameDelivery?
  /// The ID of the capture intent.
  var intent: String?
  /// The supported orientations.
  var orientations: [InterfaceOrientation] = []
  /// Whether the program may be prewarmed.
  var warm: Bool?
  /// The JSON document.
  let node: JSONNode

  /// Parses a manifest.
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
    warm = reader.boolean(members["warm"], "warm")
    readEnvironment(members["environment"], &reader)
    validateFrames(&reader)
    if warm == true, hostProtocol == HostProtocol.none {
      reader.add(.warmNeedsProtocol, "warm", at: position("warm"))
    }
  }

  /// Returns the position of a key's value, or of the document if the key is missing.
  func position(_ key: String) -> TextPosition { node[key]?.position ?? node.position }

  /// Whether the manifest explicitly requests camera frames.
  var asksForFrames: Bool { frames == .ring || frames == .stdin }

  /// Returns the manifest, or `nil` if a required value is missing.
  func manifest(policy: PolicyReference?) -> ExtensionManifest? {
    guard let id, let name, let executable, let hostProtocol, let policy else { return nil }
    let standard = FrameDelivery.standard(for: hostProtocol, camera: usageDescriptions[.camera])
    return ExtensionManifest(
      id: id,
      name: name,
      program: .init(
        executable,
        arguments: arguments,
        environment: environment,
        architectures: architectures,
        preparation: warm == true ? .beforeLaunch : .atLaunch
      ),
      capture: .init(
        hostProtocol: hostProtocol,
        frames: frames ?? standard,
        usageDescriptions: usageDescriptions,
        intent: intent,
        orientations: orientations
      ),
      policy: policy,
      launchDeadline: launchDeadline ?? ExtensionManifest.defaultLaunchDeadline
    )
  }

  /// Parses an array of choices, which must not be empty or contain a value twice.
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

  private func validateFrames(_ reader: inout ManifestReader) {
    switch (frames, hostProtocol) {
    case (.stdin, .version1): reader.add(.stdinNeedsNoProtocol, "frames", at: position("frames"))
    case (.ring, .some(.none)): reader.add(.ringNeedsProtocol, "frames", at: position("frames"))
    default: break
    }
    // An invalid usage description is reported already.
    if asksForFrames, node["usageDescriptions"]?[ProtectedResource.camera.rawValue] == nil {
      reader.add(.cameraReasonMissing, "usageDescriptions.camera", at: position("usageDescriptions"))
    }
  }
}
