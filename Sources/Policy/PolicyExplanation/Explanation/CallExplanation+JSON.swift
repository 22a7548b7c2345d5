// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import Refusals
internal import SandboxPolicy
internal import SystemCalls

extension CallExplanation {
  /// The explanation as JSON.
  package var json: JSONValue {
    let arguments = call.arguments.map { argument -> JSONValue in
      argument.map { .string("0x" + String($0, radix: 16)) } ?? .null
    }
    return .object([
      "policy": .string(policy),
      "call": .string(text),
      "architecture": .string(call.architecture.rawValue),
      "number": .integer(Int64(call.number)),
      "name": call.name.map(JSONValue.string),
      "arguments": arguments.isEmpty ? nil : .array(arguments),
      "answer": .string(answer?.name ?? "depends"),
      "parts": .array(parts.map(\.json)),
      "notes": .array(notes.map { .string($0) }),
    ])
  }
}

extension CallExplanation.Part {
  /// The part as JSON.
  fileprivate var json: JSONValue {
    .object([
      "answer": .string(answer.name),
      "reported": .bool(answer.isReported),
      "rules": rules.isEmpty ? nil : .array(rules.map(\.json)),
      "reason": reason.map(JSONValue.string),
      "origin": origin?.json,
      "example": example.map(JSONValue.string),
      "fix": fix?.json,
    ])
  }
}

extension CallExplanation.Grant {
  /// The rule as JSON.
  fileprivate var json: JSONValue {
    .object([
      "origin": .string(origin.description),
      "groups": groups.isEmpty ? nil : .array(groups.map { .string($0) }),
      "condition": condition.isEmpty ? nil : .string(condition),
    ])
  }
}
