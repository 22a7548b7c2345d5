// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension SandboxReport {
  /// The schema `Sandbox`.
  var json: JSONValue {
    [
      "full": .bool(isFull),
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

extension RefusalReport {
  /// The schema `Refusal`.
  var json: JSONValue {
    [
      "layer": .string(layer), "call": .string(call), "arguments": .array(arguments.map(JSONValue.string)),
      "program": .string(program), "count": .integer(Int64(count)), "errno": .string(errno),
      "reason": .string(reason), "sentence": .string(sentence), "probe": .bool(isProbe),
    ]
  }
}

extension SessionEvent {
  /// The schema `Event`.
  var json: JSONValue {
    switch self {
    case .started(let sandbox): ["kind": "started", "sandbox": sandbox.json]
    case .presented: ["kind": "presented"]
    case .acceptsPresses(let accepts): ["kind": "acceptsPresses", "accepts": .bool(accepts)]
    case .refused(let refusal): ["kind": "refused", "refusal": refusal.json]
    case .notice(let message): ["kind": "notice", "message": .string(message)]
    case .dismissing: ["kind": "dismissing"]
    case .openingApplication: ["kind": "openingApplication"]
    case .ended(let outcome): ["kind": "ended", "outcome": outcome.json]
    }
  }
}

extension SessionResult.Outcome {
  /// The schema `Outcome`.
  var json: JSONValue {
    switch self {
    case .completed(let code): ["kind": "completed", "exitCode": .integer(Int64(code))]
    case .signaled(let signal): ["kind": "signaled", "signal": .integer(Int64(signal))]
    case .violated(let rule): ["kind": "violated", "rule": .string(rule)]
    case .timedOut(let deadline): ["kind": "timedOut", "deadline": .string(deadline)]
    case .watchdog(let missing): ["kind": "watchdog", "missing": .array(missing.map(JSONValue.string))]
    case .protocolViolation: ["kind": "protocolViolation"]
    case .dismissed(let dismisser): ["kind": "dismissed", "by": .string(dismisser.rawValue)]
    case .hostFailure(let step, let errno):
      .object(["kind": "hostFailure", "step": .string(step), "errno": errno.map(JSONValue.string)])
    }
  }
}

extension SessionResult {
  /// The schema `Result`.
  var json: JSONValue {
    .object([
      "session": .string(session), "app": .string(appID), "extension": .string(extensionID),
      "outcome": outcome.json, "summary": .string(summary), "exitCode": .integer(Int64(exitCode)),
      "sandbox": sandbox?.json, "content": contentPath.map(JSONValue.string),
      "files": .array(files.map(\.json)), "quarantined": .array(quarantined.map(\.json)),
      "refusals": .array(refusals.map(\.json)), "frames": frames?.json, "record": .string(recordPath),
      "output": .string(outputTail), "notices": .array(notices.map(JSONValue.string)),
    ])
  }
}

extension SessionResult.File {
  /// The schema `File`.
  fileprivate var json: JSONValue {
    .object(["path": .string(path), "size": .integer(size), "sha256": sha256.map(JSONValue.string)])
  }
}

extension SessionResult.FrameCounts {
  /// The counts of the schema `Result`.
  fileprivate var json: JSONValue {
    ["produced": .integer(produced), "consumed": .integer(consumed), "dropped": .integer(dropped)]
  }
}

extension ViewfinderFrame.Plane {
  /// The schema `Plane`.
  var json: JSONValue {
    [
      "offset": .integer(Int64(offset)), "stride": .integer(Int64(stride)), "rows": .integer(Int64(rows)),
      "rowBytes": .integer(Int64(rowBytes)),
    ]
  }
}

extension LaunchOptions {
  /// Creates options from the schema `LaunchOptions`.
  init(_ parameters: OperationParameters) {
    self.init(
      camera: parameters["camera"]?.string.map { CameraSelection($0) },
      microphone: parameters["microphone"]?.string.map { MicrophoneSelection($0) },
      place: parameters["place"]?.string.flatMap(LaunchPlace.init) ?? .program
    )
    dismissalGrace = parameters.duration("grace") ?? dismissalGrace
    watchdog = parameters.duration("watchdog")
    idleTimeout = parameters.duration("idleTimeout")
    recordsDigests = parameters["digests"]?.bool ?? false
    if parameters["audit"] != nil {
      let audit = parameters.object("audit")
      requiredAudit = RequiredAudit(
        attestation: audit.text("attestation"),
        publicKey: audit.text("publicKey")
      )
    }
  }
}

extension ProgramLaunchOptions {
  /// Creates options from the parameters of `session/launchProgram`.
  init(_ parameters: OperationParameters) {
    self.init(parameters.text("program"), parameters.texts("arguments"), app: parameters.text("app"))
    policy = parameters["policy"]?.string ?? policy
    readOnlyPaths = parameters.texts("readOnlyPaths")
    for member in parameters["environment"]?.members ?? [] { environment[member.name] = member.value.string }
    camera = parameters["camera"]?.string.map { CameraSelection($0) }
  }
}
