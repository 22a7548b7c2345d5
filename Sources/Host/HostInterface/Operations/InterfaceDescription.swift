// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The machine-readable description of the interface (OpenRPC), which documents it and checks each request.
package struct InterfaceDescription: Sendable {
  /// The version of the interface.
  package static let version: Int64 = 1
  /// The description of this server.
  package static let current = InterfaceDescription()

  /// The OpenRPC document.
  package let document: JSONValue
  /// The schema of the parameters of each method, as one object schema.
  private let parameters: [String: JSONValue]
  private let schemas: JSONValue

  private init() {
    // A test parses the file, so that an installed program contains a valid one.
    document = (try? JSONNode.parse(InterfaceFile.content("host.openrpc.json")).value) ?? .null
    schemas = document["components"]?["schemas"] ?? .null
    var parameters: [String: JSONValue] = [:]
    for method in document["methods"]?.elements ?? [] {
      guard let name = method["name"]?.string else { continue }
      parameters[name] = Self.objectSchema(method["params"]?.elements ?? [])
    }
    self.parameters = parameters
  }

  /// The names of all methods.
  package var methods: Set<String> { Set(parameters.keys) }

  /// Returns the schema of an object whose members are the parameters of a method.
  private static func objectSchema(_ parameters: [JSONValue]) -> JSONValue {
    let members = parameters.map { JSONValue.Member($0["name"]?.string ?? "", $0["schema"] ?? .null) }
    let required = parameters.filter { $0["required"]?.bool == true }.compactMap { $0["name"] }
    return [
      "type": "object", "properties": .object(members), "required": .array(required),
      "additionalProperties": false,
    ]
  }

  /// Checks the parameters of a request.
  ///
  /// - Throws: An error if the method is unknown, or the parameters do not match its schema.
  package func check(_ method: String, _ value: JSONValue) throws(OperationError) {
    guard let schema = parameters[method] else { throw .unknownMethod(method) }
    let checker = SchemaChecker(schemas)
    if let fault = checker.fault(in: value, schema, "params") { throw .parameters(fault) }
  }
}
