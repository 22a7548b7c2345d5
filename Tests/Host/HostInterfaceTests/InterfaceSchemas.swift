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
}
