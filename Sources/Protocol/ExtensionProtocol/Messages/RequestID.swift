// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The ID that connects a reply to its request.
package enum RequestID: Hashable, Sendable, CustomStringConvertible {
  /// A number.
  case integer(Int64)
  /// A string.
  case string(String)

  /// The ID as JSON.
  package var json: JSONValue {
    switch self {
    case .integer(let number): .integer(number)
    case .string(let text): .string(text)
    }
  }

  /// The ID as JSON text.
  package var description: String { json.text() }

  init?(_ value: JSONValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .string(let text): self = .string(text)
    default: return nil
    }
  }
}
