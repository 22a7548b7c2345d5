// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import Digests
internal import ExtensionProtocol
internal import JSONText
internal import LaunchPlanning
internal import SessionStore

extension AuditEvidence {
  /// The section about the identity of the audited files.
  var identitySection: AuditSection {
    let pinned = subject.installed.pinned
    let facts: [AuditFact] = [
      AuditFact("extension", subject.installed.manifest.id),
      AuditFact("app", "\(subject.installed.app.name) (\(subject.installed.app.id))"),
      AuditFact("program", subject.installed.executablePath),
      AuditFact("digest of the app's bundle", "\(subject.bundleDigest)"),
      AuditFact("digest of the program", programText),
      AuditFact("digest of the manifest", "\(pinned.manifest)"),
      AuditFact("bills of materials", billsText),
      AuditFact("policy", policyText),
      AuditFact("digest of the policy and its base policies", policy.found.digest),
    ]
    let blocks: [AuditBlock] = [
      .facts(facts),
      subject.integrityFault.map { .notice(.bad, "\($0)") }
        ?? .notice(
          .note,
          "The program, the manifest and the policy are unchanged since the installation; each launch checks them "
            + "again."
        ),
    ]
    return AuditSection(
      id: "identity",
      title: "Identity of the extension",
      blocks: blocks,
      data: .object([
        "extension": .string(subject.installed.manifest.id),
        "name": .string(subject.installed.manifest.name),
        "app": .string(subject.installed.app.id),
        "bundle": .string(subject.installed.appBundlePath),
        "bundleDigest": .string("\(subject.bundleDigest)"),
        "executable": .string(subject.installed.executablePath),
        "executableDigest": subject.audited.digests[.executable].map(JSONValue.string),
        "executableLinks": pinned.links.isEmpty ? nil : .array(pinned.links.map(\.json)),
        "billsOfMaterials": .array(subject.billsOfMaterials.map(\.json)),
        "manifestDigest": .string("\(pinned.manifest)"),
        "policyDocumentDigest": pinned.policy.map { .string("\($0)") },
        "policy": .string(policy.name),
        "policyDigest": .string(policy.found.digest),
        "filterDigest": subject.audited.digests[.filter].map(JSONValue.string),
        "unchanged": .bool(subject.integrityFault == nil),
      ])
    )
  }

  /// The digest of the program, and the symbolic links that lead to it.
  private var programText: String {
    let origin = subject.installed.pinned.executable == nil ? ", a program of the host" : ""
    let digest = (subject.audited.digests[.executable] ?? "unknown") + origin
    let links = subject.installed.pinned.links.map { "\($0.path) -> \($0.target)" }
    return links.isEmpty ? digest : "\(digest); reached through the links \(links.joined(separator: ", "))"
  }

  /// The bills of materials with their formats and digests.
  private var billsText: String {
    if subject.billsOfMaterials.isEmpty { return "none in the bundle" }
    return subject.billsOfMaterials.map { "\($0.path) (\($0.format.rawValue), \($0.digest))" }.joined(
      separator: ", "
    )
  }

  private var policyText: String {
    switch subject.installed.manifest.policy {
    case .shipped(let name): "\(name), shipped with Darkroom"
    case .file(let name): "\(name), from the extension's bundle"
    }
  }

  /// The section about the requests in the manifest.
  var requestSection: AuditSection {
    let manifest = subject.installed.manifest
    var facts: [AuditFact] = [
      AuditFact("program", ([manifest.program.path] + manifest.program.arguments).joined(separator: " ")),
      AuditFact("protocol", manifest.capture.hostProtocol.words),
      AuditFact("camera frames", manifest.capture.frames.words),
      AuditFact("sound", soundWords),
      AuditFact("viewfinder required within", "\(manifest.launchDeadline) seconds"),
      AuditFact(
        "environment",
        manifest.program.environment.isEmpty
          ? "no additional variables"
          : manifest.program.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: ", ")
      ),
    ]
    for resource in ProtectedResource.allCases {
      let reason = manifest.capture.usageDescriptions[resource]
      let request = reason.map { "requested: \"\($0)\"" } ?? "not requested"
      facts.append(AuditFact(resource.rawValue, request))
    }
    let wanted = ProtectedResource.allCases.compactMap { resource in
      manifest.capture.usageDescriptions[resource].map { JSONValue.Member(resource.rawValue, .string($0)) }
    }
    return AuditSection(
      id: "request",
      title: "Requests of the extension",
      blocks: [
        .text(
          "The manifest contains these requests. The user is prompted before the app may use a camera, a microphone or "
            + "photos; a manifest cannot allow more than the policy."
        ),
        .facts(facts),
        .table(permissionTable),
      ],
      data: .object([
        "permissions": .object(
          PermissionSubject.allCases.map {
            .init($0.rawValue, .string(permissions[$0].status.rawValue))
          }
        ),
        "program": .string(manifest.program.path),
        "arguments": .array(manifest.program.arguments.map(JSONValue.string)),
        "protocol": .string(manifest.capture.hostProtocol.rawValue),
        "frames": .string(manifest.capture.frames.rawValue),
        "launchDeadlineSeconds": .number(manifest.launchDeadline),
        "environment": .object(
          manifest.program.environment.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }
        ),
        "usageDescriptions": .object(wanted),
        "intent": manifest.capture.intent.map(JSONValue.string),
      ])
    )
  }
}

extension AuditEvidence {
  /// The delivery of sound as text.
  fileprivate var soundWords: String {
    guard subject.installed.manifest.capture.hostProtocol == .version1,
      subject.installed.manifest.capture.usageDescriptions[.microphone] != nil
    else { return "none" }
    return "in read-only shared memory, while the app may use the microphone"
  }

  /// The table of the current permissions, regardless of the manifest.
  fileprivate var permissionTable: AuditTable {
    AuditTable(
      caption: "Current permissions of the app",
      columns: ["Resource", "State", "Reason"],
      rows: PermissionSubject.allCases.map { subject in
        let permission = permissions[subject]
        return [
          AuditCell(subject.rawValue), AuditCell(permission.status.rawValue),
          AuditCell(permission.reason.sentence),
        ]
      }
    )
  }
}

extension HostProtocol {
  /// The protocol as text.
  fileprivate var words: String {
    switch self {
    case .version1: "messages over two pipes (version 1)"
    case .none: "none; the program receives only environment variables"
    }
  }
}

extension AppBundles.FrameDelivery {
  /// The delivery of frames as text.
  fileprivate var words: String {
    switch self {
    case .none: "none"
    case .ring: "in read-only shared memory"
    case .stdin: "as a stream on standard input"
    }
  }
}
