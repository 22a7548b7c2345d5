// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

/// Returns a timestamp as JSON.
private func timestamp(_ milliseconds: Int64) -> JSONValue {
  .string(WallClock.text(milliseconds: milliseconds))
}

extension SessionRecord {
  /// The record as JSON.
  package var json: JSONValue {
    .object(
      parts.map { part in
        switch part.content {
        case .value(let value): JSONValue.Member(part.name, value)
        case .elements(let count, let element): JSONValue.Member(part.name, .array((0..<count).map(element)))
        }
      }
    )
  }

  /// The members of the record. Long lists, which can have a million elements, are generated on demand.
  var parts: [JSONPart] {
    let (files, sanitized, quarantined) = (files, sanitized, quarantined)
    return metadata
      + [
        JSONPart(
          "content",
          [
            "files": .integer(content.files), "bytes": .integer(content.bytes),
            "delivered": .bool(content.delivered), "renamed": .integer(content.renamed),
          ]
        ),
        JSONPart("files", count: files.count) { files[$0].json },
        JSONPart(
          "ingested",
          .array(ingested.map { ["asset": .string($0.asset), "path": .string($0.path)] })
        ),
        JSONPart("quarantined", count: quarantined.count) {
          ["path": .string(quarantined[$0].path), "reason": .string(quarantined[$0].reason.rawValue)]
        },
        JSONPart("sanitized", count: sanitized.count) { sanitized[$0].json },
        JSONPart("violations", .array(violations.map { ["text": .string($0)] })),
        JSONPart("refusals", .array(refusals.map(\.json))),
        JSONPart("refusalsOmitted", .integer(refusalsOmitted)),
        log.map { JSONPart("log", ["bytes": .integer($0.bytes), "truncated": .bool($0.truncated)]) },
        JSONPart("erased", .array(erased.map(\.json))),
      ].compactMap { $0 }
  }

  /// The members that describe the session and its restrictions.
  private var metadata: [JSONPart] {
    let members: KeyValuePairs<String, JSONValue?> = [
      "version": .integer(Self.version),
      "sessionID": .string(sessionID.description),
      "app": .string(app),
      "extension": .string(extensionID),
      "startedAt": timestamp(startedAt),
      "endedAt": timestamp(endedAt),
      "outcome": outcome.json,
      "reason": .string(outcome.description),
      "policy": policy.map { ["name": .string($0.name), "digest": .string($0.digest)] },
      "executableDigest": executableDigest.map(JSONValue.string),
      "permissions": permissionsJSON,
      "enforcement": enforcement?.json,
      "debugging": debugging.map { .string($0.rawValue) },
      "steps": .array(
        steps.map { ["name": .string($0.name), "microseconds": .integer($0.microseconds)] }
      ),
      "frames": frames?.json,
      "sound": sound?.json,
      "uses": .array(uses.map(\.json)),
      "cameraControls": .array(cameraControls.map(\.json)),
    ]
    return members.compactMap { name, value in value.map { JSONPart(name, $0) } }
  }
}

extension SessionRecord.Sanitized {
  fileprivate var json: JSONValue {
    .object([
      "path": .string(path), "change": .string(change.rawValue), "from": from.map(JSONValue.string),
    ])
  }
}

extension SessionRecord.Enforcement {
  fileprivate var json: JSONValue {
    .object([
      "status": .string(status.rawValue),
      "layers": .array(
        layers.map {
          .object([
            "name": .string($0.name), "state": .string($0.state.rawValue),
            "detail": $0.detail.map(JSONValue.string),
          ])
        }
      ),
      "denials": denials.isEmpty ? nil : .array(denials.map(\.json)),
    ])
  }
}

extension SessionRecord.Denial {
  fileprivate var json: JSONValue {
    .object([
      "access": .string(access),
      "mechanisms": .array(mechanisms.map { .string($0) }),
      "checks": .array(checks.map { .string($0) }),
    ])
  }
}

extension SessionRecord.Frames {
  fileprivate var json: JSONValue {
    .object([
      "produced": .integer(produced), "consumed": .integer(consumed), "dropped": .integer(dropped),
      "presented": .integer(presented), "latency": latency?.json,
    ])
  }
}

extension SessionRecord.Sound {
  fileprivate var json: JSONValue {
    [
      "produced": .integer(produced), "consumed": .integer(consumed), "dropped": .integer(dropped),
    ]
  }
}

extension SessionRecord.Latency {
  fileprivate var json: JSONValue {
    [
      "frames": .integer(frames), "median": .integer(median), "p99": .integer(most), "torn": .integer(torn),
    ]
  }
}

extension SessionRecord.File {
  fileprivate var json: JSONValue {
    .object([
      "path": .string(path), "size": .integer(size), "sha256": sha256.map(JSONValue.string),
      "modified": timestamp(modified),
    ])
  }
}

extension SessionRecord.Erasure {
  /// The receipt as JSON.
  var json: JSONValue {
    ["what": .string(what), "files": .integer(files), "bytes": .integer(bytes), "at": timestamp(at)]
  }
}
