// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension HostedApp {
  /// The schema `App`.
  var json: JSONValue {
    [
      "id": .string(id), "name": .string(name), "installedAt": .integer(installedAt),
      "extensions": .array(extensions.map(\.json)), "controls": .array(controls.map(\.json)),
    ]
  }
}

extension HostedExtension {
  /// The schema `Extension`.
  var json: JSONValue {
    [
      "id": .string(id), "name": .string(name), "policy": .string(policy),
      "launchDeadline": .number(launchDeadline.seconds), "usesProtocol": .bool(usesProtocol),
    ]
  }
}

extension HostedApp.Control {
  /// The schema `Control`.
  fileprivate var json: JSONValue {
    .object([
      "id": .string(id), "extension": .string(extensionID), "title": .string(title),
      "summary": summary.map(JSONValue.string), "requiresAuthentication": .bool(requiresAuthentication),
    ])
  }
}

extension BundleDiagnostic {
  /// The schema `Diagnostic`.
  var json: JSONValue {
    .object([
      "severity": .string(severity.rawValue), "file": .string(file), "key": .string(key),
      "reason": .string(reason), "fix": .string(fix), "line": line.map { .integer(Int64($0)) },
      "column": column.map { .integer(Int64($0)) },
    ])
  }
}

extension AppContent.Delivery {
  /// The schema `Delivery`.
  var json: JSONValue {
    .object([
      "session": .string(session), "extension": extensionID.map(JSONValue.string), "path": .string(path),
      "files": .integer(files), "bytes": .integer(bytes),
    ])
  }
}

extension AppContent.QuarantinedContent {
  /// The schema `QuarantinedContent`.
  var json: JSONValue {
    ["session": .string(session), "path": .string(path), "entries": .array(entries.map(\.json))]
  }
}

extension QuarantinedEntry {
  /// The schema `Quarantined`.
  var json: JSONValue {
    ["path": .string(path), "reason": .string(reason), "explanation": .string(explanation)]
  }
}

extension ContentChanges.Change {
  /// The schema `ContentChange`.
  var json: JSONValue {
    switch self {
    case .initial(let deliveries): ["initial": .array(deliveries.map(\.json))]
    case .added(let delivery): ["added": delivery.json]
    case .removed(let session): ["removed": .string(session)]
    }
  }
}

extension AppPermissionSettings.Decision {
  /// The schema `Decision`.
  var json: JSONValue {
    func names(_ decision: JSONValue, _ names: Set<String>) -> JSONValue {
      ["decision": decision, "names": .array(names.sorted().map(JSONValue.string))]
    }
    return switch self {
    case .ask: ["decision": "ask"]
    case .authorized: ["decision": "authorized"]
    case .denied: ["decision": "denied"]
    case .assets(let assets): names("assets", assets)
    case .devices(let devices): names("devices", devices)
    }
  }
}

extension Duration {
  /// The duration in seconds.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
