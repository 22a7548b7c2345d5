// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension AppOpening {
  /// The schema `ControlPress`.
  var json: JSONValue {
    ["effect": "applicationOpened", "delivery": .string(delivery), "reason": .string(reason.rawValue)]
  }
}

extension ReadinessReport {
  /// The schema `Readiness`.
  var json: JSONValue {
    let found = checks.map { check in
      JSONValue.object([
        "condition": .string(check.condition.rawValue),
        "refusal": check.refusal.map { .string($0.rawValue) }, "message": check.message.map(JSONValue.string),
      ])
    }
    return ["ready": .bool(isReady), "checks": .array(found)]
  }
}

extension HostKeyBindings.Binding {
  /// The schema `KeyBinding`.
  var json: JSONValue { ["key": .string(key), "app": .string(appID), "control": .string(control)] }
}

extension SessionHistory.Entry {
  /// The schema `LogEntry`.
  var json: JSONValue {
    .object([
      "sequence": .integer(sequence), "kind": .string(kind.rawValue), "loggedAt": .integer(loggedAt),
      "session": session.map { .string($0.id) }, "app": session.map { .string($0.appID) },
      "extension": session.map { .string($0.extensionID) },
      "outcome": session?.outcome.map { .string($0.rawValue) },
      "startedAt": session.map { .integer($0.startedAt) }, "endedAt": session.map { .integer($0.endedAt) },
      "refusals": session.map { .integer($0.refusals) },
      "recordDigest": session.map { .string($0.recordDigest) },
    ])
  }
}

extension SessionHistory.Verification {
  /// The schema `LogVerification`.
  var json: JSONValue {
    .object([
      "valid": .bool(isValid), "entries": .integer(validEntries), "head": head.map(JSONValue.string),
      "invalidLine": invalidEntry.map { .integer($0.line) },
      "invalidReason": invalidEntry.map { .string($0.reason) },
      "headComparison": headComparison.map { .string($0.rawValue) },
      "changedRecords": .array(changedRecords.map { .string($0.path) }),
    ])
  }
}

extension SessionHistory.DeviceUse {
  /// The schema `DeviceUse`.
  var json: JSONValue {
    .object([
      "resource": .string(resource.rawValue), "device": .string(device), "session": .string(session),
      "app": .string(appID), "extension": .string(extensionID), "startedAt": .integer(startedAt),
      "milliseconds": milliseconds.map(JSONValue.integer), "running": .bool(isRunning),
    ])
  }
}

extension HostStorage.Limits {
  /// The schema `StorageLimits`.
  var json: JSONValue {
    .object([
      "bytes": bytes.map(JSONValue.integer), "files": files.map(JSONValue.integer),
      "sessions": sessions.map(JSONValue.integer), "reserve": reserve.map(JSONValue.integer),
    ])
  }
}

extension HostStorage.Usage {
  /// The schema `StorageUsage`.
  var json: JSONValue {
    .object([
      "bytes": .integer(bytes), "files": .integer(files), "sessions": .integer(sessions),
      "limits": limits.json, "free": .integer(freeBytes), "refusal": refusal.map(JSONValue.string),
    ])
  }
}

extension HostPhotos.Asset {
  /// The schema `Asset`.
  var json: JSONValue {
    .object([
      "id": .string(id), "title": .string(title), "mediaType": .string(mediaType), "path": .string(path),
      "bytes": .integer(bytes), "createdAt": .integer(createdAt), "app": .string(appID),
      "session": session.map(JSONValue.string),
    ])
  }
}

extension AppAssets.AssetSet {
  /// The schema `AssetSet`.
  var json: JSONValue {
    [
      "generation": .integer(generation), "files": .integer(files), "bytes": .integer(bytes),
      "publishedAt": .integer(publishedAt), "current": .bool(isCurrent), "used": .bool(isInUse),
    ]
  }
}

extension ActiveSession {
  /// The schema `ActiveSession`.
  var json: JSONValue {
    [
      "session": .string(id), "app": .string(appID), "extension": .string(extensionID),
      "process": .integer(Int64(hostProcess)), "startedAt": .integer(startedAt),
      "prewarmed": .bool(isPrewarmed),
    ]
  }
}
