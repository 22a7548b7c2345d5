// SPDX-License-Identifier: Apache-2.0

import JSONText

@testable import HostInterface

/// The schemas of the interface, for checks of what the server sends.
enum InterfaceSchemas {
  /// The OpenRPC document.
  static let document = InterfaceDescription.current.document

  /// Returns the first mismatch between a value and a schema, as text.
  static func fault(in value: JSONValue, _ schema: JSONValue) -> String? {
    let checker = SchemaChecker(document["components"]?["schemas"] ?? .null)
    return checker.fault(in: value, schema, "result").map { "\($0.path) \($0.reason)" }
  }

  /// Returns a request of each method, with values that match its parameters, as bytes.
  static func exampleRequests() throws -> [[UInt8]] {
    (document["methods"]?.elements ?? []).map { method in
      let members = (method["params"]?.elements ?? []).map { parameter in
        JSONValue.Member(parameter["name"]?.string ?? "", example(parameter["schema"] ?? .null))
      }
      let request: JSONValue = [
        "jsonrpc": "2.0", "id": 7, "method": method["name"] ?? .null, "params": .object(members),
      ]
      return request.bytes()
    }
  }

  /// Returns a value that matches a schema.
  private static func example(_ schema: JSONValue) -> JSONValue {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      return example(document["components"]?["schemas"]?[String(name)] ?? .null)
    }
    if let choice = schema["enum"]?.elements?.first { return choice }
    switch schema["type"]?.string {
    case "integer", "number": return .integer(max(1, schema["minimum"]?.integer ?? 1))
    case "boolean": return true
    case "array": return [example(schema["items"] ?? .null)]
    case "object":
      return .object(
        (schema["properties"]?.members ?? []).map { JSONValue.Member($0.name, example($0.value)) }
      )
    default: return .string(String(repeating: "a", count: Int(schema["minLength"]?.integer ?? 1)))
    }
  }
}
