// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

/// A moment as the record has it.
private func moment(_ milliseconds: Int64) -> JSONValue {
  .string(WallClock.text(milliseconds: milliseconds))
}

extension SessionRecord {
  /// The record as a document.
  package var json: JSONValue {
    .object([
      "version": .integer(Self.version),
      "sessionID": .string(sessionID.description),
      "app": .string(app),
      "extension": .string(extensionID),
      "startedAt": moment(startedAt),
      "endedAt": moment(endedAt),
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
      "cameraControls": .array(cameraControls.map(\.json)),
      "content": [
        "files": .integer(content.files), "bytes": .integer(content.bytes),
        "delivered": .bool(content.delivered),
      ],
      "files": .array(files.map(\.json)),
      "ingested": .array(ingested.map { ["asset": .string($0.asset), "path": .string($0.path)] }),
      "quarantined": .array(
        quarantined.map { ["path": .string($0.path), "reason": .string($0.reason.rawValue)] }
      ),
      "normalised": .array(
        normalised.map { ["path": .string($0.path), "change": .string($0.change.rawValue)] }
      ),
      "violations": .array(violations.map { ["text": .string($0)] }),
      "refusals": .array(refusals.map(\.json)),
      "refusalsOmitted": .integer(refusalsOmitted),
      "log": log.map { ["bytes": .integer($0.bytes), "truncated": .bool($0.truncated)] },
      "erased": .array(erased.map(\.json)),
    ])
  }
}

extension SessionRecord.Enforcement {
  fileprivate var json: JSONValue {
    [
      "status": .string(status.rawValue),
      "layers": .array(
        layers.map {
          .object([
            "name": .string($0.name), "state": .string($0.state), "detail": $0.detail.map(JSONValue.string),
          ])
        }
      ),
    ]
  }
}

extension SessionRecord.Frames {
  fileprivate var json: JSONValue {
    [
      "produced": .integer(produced), "consumed": .integer(consumed), "dropped": .integer(dropped),
      "presented": .integer(presented),
    ]
  }
}

extension SessionRecord.File {
  fileprivate var json: JSONValue {
    .object([
      "path": .string(path), "size": .integer(size), "sha256": sha256.map(JSONValue.string),
      "modified": moment(modified),
    ])
  }
}

extension SessionRecord.Erasure {
  /// The receipt as a document.
  var json: JSONValue {
    ["what": .string(what), "files": .integer(files), "bytes": .integer(bytes), "at": moment(at)]
  }
}
