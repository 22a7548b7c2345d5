// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension CapturePolicy.Verdict {
  /// The schema `Verdict`.
  var json: JSONValue {
    .object([
      "property": .string(property), "programs": .string(programs), "proved": .bool(isProved),
      "failure": failure.map(JSONValue.string),
    ])
  }
}

extension PathAccess {
  /// The schema `PathAccess`.
  var json: JSONValue {
    .object([
      "path": .string(path), "use": .string(use.rawValue), "allowed": .bool(isAllowed),
      "errno": errno.map(JSONValue.string), "layerNames": .array(layers.map(JSONValue.string)),
      "line": policyLine.map(JSONValue.string), "sentence": .string(sentence),
    ])
  }
}

extension PolicyComparison {
  /// The result of `policy/difference`.
  var json: JSONValue {
    [
      "calls": .array(calls.map(\.json)), "sandbox": .array(sandbox.map(\.json)), "weaker": .bool(isWeaker),
    ]
  }
}

extension PolicyComparison.Difference {
  /// The schema `Difference`.
  fileprivate var json: JSONValue {
    .object([
      "subject": .string(subject), "effect": .string(effect.rawValue), "old": .string(old),
      "new": .string(new), "conditions": .array(conditions.map(JSONValue.string)),
      "example": example.map(JSONValue.string),
    ])
  }
}

extension RecoveryReport {
  /// The result of `host/recover`.
  var json: JSONValue {
    [
      "sessions": .array(sessions.map(\.json)), "notices": .array(notices.map(JSONValue.string)),
      "clean": .bool(isClean),
    ]
  }
}

extension RecoveryReport.Session {
  /// The schema `Recovered`.
  fileprivate var json: JSONValue {
    let (finding, content, message): (JSONValue, String?, String?) =
      switch self.finding {
      case .live: ("live", nil, nil)
      case .migrated(let path): ("migrated", path, nil)
      case .neverStarted: ("neverStarted", nil, nil)
      case .erased: ("erased", nil, nil)
      case .damaged(let error): ("damaged", nil, error.description)
      case .failed(let error): ("failed", nil, error.description)
      }
    return .object([
      "session": .string(id), "finding": finding, "content": content.map(JSONValue.string),
      "message": message.map(JSONValue.string),
    ])
  }
}
