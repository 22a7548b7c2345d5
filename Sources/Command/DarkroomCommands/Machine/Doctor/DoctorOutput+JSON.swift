// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import SessionStore

extension DoctorOutput {
  /// Returns the report as JSON, without grouping.
  static func json(_ report: DoctorReport) -> JSONValue {
    .object([
      "standing": .string(report.standing.rawValue),
      "machine": .array(
        report.machine.map { finding in
          [
            "name": .string(finding.name), "state": .string(finding.state.rawValue),
            "detail": .string(finding.detail), "mends": .array(finding.mends.map(json)),
          ]
        }
      ),
      "policies": .array(report.policies.map(json)),
    ])
  }

  /// Returns the findings about one policy as JSON.
  private static func json(_ policy: PolicyFinding) -> JSONValue {
    [
      "policy": .string(policy.name), "standing": .string(policy.standing.rawValue),
      "layers": .array(
        policy.layers.map { layer in
          [
            "name": .string(layer.name), "state": .string(layer.state.rawValue),
            "detail": .string(layer.detail), "mends": .array(layer.mends.map(json)),
          ]
        }
      ),
      "remarks": .array(policy.remarks.map(JSONValue.string)),
    ]
  }

  /// Returns a fix as JSON.
  private static func json(_ mend: Mend) -> JSONValue {
    .object([
      "sentence": .string(mend.sentence),
      "commands": .array(mend.commands.map(JSONValue.string)),
      "file": mend.file.map { .object(["path": .string($0.path), "text": .string($0.text)]) },
    ])
  }
}
