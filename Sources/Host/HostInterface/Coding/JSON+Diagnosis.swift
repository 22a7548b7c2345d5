// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension MachineReport {
  /// The schema `MachineReport`.
  var json: JSONValue {
    [
      "status": .string(status.rawValue), "machine": .array(properties.map(\.json)),
      "trials": .array(policies.map(\.json)),
    ]
  }
}

extension MachineReport.Property {
  /// The schema `MachineProperty`.
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "state": .string(state.rawValue), "detail": .string(detail),
      "fixes": .array(fixes.map(\.json)),
    ]
  }
}

extension MachineReport.Policy {
  /// The schema `PolicyTrial`.
  fileprivate var json: JSONValue {
    [
      "policy": .string(name), "status": .string(status.rawValue), "layers": .array(layers.map(\.json)),
      "remarks": .array(remarks.map(JSONValue.string)),
    ]
  }
}

extension MachineReport.Layer {
  /// The schema `LayerReport`.
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "state": .string(state), "detail": .string(detail),
      "fixes": .array(fixes.map(\.json)),
    ]
  }
}

extension MachineReport.Fix {
  /// The schema `Fix`.
  fileprivate var json: JSONValue {
    .object([
      "sentence": .string(sentence), "commands": .array(commands.map(JSONValue.string)),
      "file": file.map { ["path": .string($0.path), "text": .string($0.text)] },
    ])
  }
}
