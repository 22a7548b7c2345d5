// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import SandboxPolicy

extension Refusal {
  /// The refusal as JSON.
  package var json: JSONValue {
    .object([
      "layer": .string(layer.rawValue),
      "call": .string(call),
      "arguments": .array(arguments.map(\.json)),
      "thread": .integer(Int64(thread)),
      "program": .string(program),
      "at": .integer(timestamp),
      "errno": .string(errno),
      "reason": .string(reason),
      "origin": origin.json,
      "fix": fix.json,
      "sentence": .string(sentence),
      "probe": probe.map { .string($0.rawValue) },
    ])
  }
}

extension DecodedArgument {
  /// The argument as JSON. The value is a string, because many JSON readers do not support 64-bit numbers.
  package var json: JSONValue {
    ["name": .string(name), "value": .string(ArgumentText.hexadecimal(value)), "text": .string(text)]
  }
}

extension RefusalOrigin {
  /// The maximum number of rules in the JSON; calls such as ioctl(2) have dozens.
  private static let namedRules = 8

  /// The origin as JSON.
  package var json: JSONValue {
    switch self {
    case .core(let area): ["kind": "core", "area": .string(area.rawValue)]
    case .denied(let lines): ["kind": "denied", "lines": .array(lines.map { .string($0.description) })]
    case .otherArguments(let rules):
      [
        "kind": "otherArguments", "rules": .integer(Int64(rules.count)),
        "lines": .array(rules.prefix(Self.namedRules).map(\.json)),
      ]
    case .unlisted(let documents):
      ["kind": "unlisted", "documents": .array(documents.map { .string($0) })]
    case .execution(let line): ["kind": "execution", "lines": [.string(line.description)]]
    case .unknown: ["kind": "unknown"]
    case .elsewhere: ["kind": "elsewhere"]
    }
  }
}

extension FailedRule {
  fileprivate var json: JSONValue {
    ["line": .string(origin.description), "condition": .string(condition), "found": .string(found)]
  }
}

extension Fix {
  /// The fix as JSON.
  package var json: JSONValue {
    .object([
      "text": .string(text), "instead": alternative.map(JSONValue.string), "policy": policy?.document,
    ])
  }
}

extension PolicyFix {
  fileprivate var document: JSONValue {
    switch target {
    case .extending(let name): .object(["extending": .string(name), "write": json, "caveat": caveatJSON])
    case .document(let path): .object(["document": .string(path), "add": json, "caveat": caveatJSON])
    case .copy(let name): .object(["copyOf": .string(name), "add": json, "caveat": caveatJSON])
    case .lines(let lines):
      .object([
        "remove": .array(lines.map { .string($0.description) }), "add": json, "caveat": caveatJSON,
      ])
    }
  }

  private var caveatJSON: JSONValue? {
    (caveat ?? directory.map { "Landlock refuses it outside \($0)" }).map(JSONValue.string)
  }
}
