// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import SessionStore

extension DoctorOutput {
  /// Returns the report as JSON, without grouping.
  static func json(_ report: DoctorReport) -> JSONValue {
    .object([
      "status": .string(report.status.rawValue),
      "machine": .array(
        report.machine.map { finding in
          [
            "name": .string(finding.name), "state": .string(finding.state.rawValue),
            "detail": .string(finding.detail), "fixes": .array(finding.fixes.map(json)),
          ]
        }
      ),
      "policies": .array(report.policies.map(json)),
    ])
  }

  /// Returns the findings about one policy as JSON.
  private static func json(_ policy: PolicyFinding) -> JSONValue {
    [
      "policy": .string(policy.name), "status": .string(policy.status.rawValue),
      "layers": .array(
        policy.layers.map { layer in
          [
            "name": .string(layer.name), "state": .string(layer.state.rawValue),
            "detail": .string(layer.detail), "fixes": .array(layer.fixes.map(json)),
          ]
        }
      ),
      "remarks": .array(policy.remarks.map(JSONValue.string)),
    ]
  }

  /// Returns a fix as JSON.
  private static func json(_ fix: Fix) -> JSONValue {
    .object([
      "sentence": .string(fix.sentence),
      "commands": .array(fix.commands.map(JSONValue.string)),
      "file": fix.file.map { .object(["path": .string($0.path), "text": .string($0.text)]) },
    ])
  }
}
