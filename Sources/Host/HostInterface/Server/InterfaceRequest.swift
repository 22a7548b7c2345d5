// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A request of JSON-RPC 2.0.
struct InterfaceRequest: Sendable, Equatable {
  /// The identifier of the request, an integer or a string.
  let id: JSONValue
  /// The name of the method.
  let method: String
  /// The parameters, an object.
  let params: JSONValue

  /// The limits of a message. A member of a request is nested at most a few levels.
  private static let limits = JSONLimits(bytes: InterfaceConnection.maximumLine, depth: 32)

  /// The reason why a line is not a request, and the identifier of the response.
  struct Fault: Error, Equatable {
    var id: JSONValue
    var error: OperationError
    /// Whether the rest of the stream cannot be trusted.
    var isFatal: Bool
  }

  /// Reads a request from a line.
  init(_ line: [UInt8]) throws(Fault) {
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try JSONNode.parse(line, limits: Self.limits).value } catch {
      throw Fault(id: .null, error: OperationError(-32700, "the line is not JSON: \(error)"), isFatal: true)
    }
    let id = Self.identifier(value["id"])
    func invalid(_ reason: String) -> Fault {
      Fault(
        id: id ?? .null,
        error: OperationError(-32600, "the message is not a request: \(reason)"),
        isFatal: false
      )
    }
    guard value.members != nil else { throw invalid("it must be an object; batches are not supported") }
    guard value["jsonrpc"] == "2.0" else { throw invalid("'jsonrpc' must be '2.0'") }
    guard let method = value["method"]?.string else { throw invalid("'method' must be a string") }
    guard let id else { throw invalid("'id' must be an integer or a string") }
    let params = value["params"] ?? .object([JSONValue.Member]())
    guard params.members != nil else { throw invalid("'params' must be an object") }
    (self.id, self.method, self.params) = (id, method, params)
  }

  private static func identifier(_ value: JSONValue?) -> JSONValue? {
    switch value {
    case .integer?: value
    case .string(let text)? where text.utf8.count <= 256: value
    default: nil
    }
  }

  /// Returns the response with a result.
  func response(_ result: JSONValue) -> JSONValue { ["jsonrpc": "2.0", "id": id, "result": result] }

  /// Returns the response with an error.
  static func response(_ id: JSONValue, _ error: OperationError) -> JSONValue {
    let details: JSONValue = .object([
      "code": .integer(error.code), "message": .string(error.message), "data": error.data,
    ])
    return ["jsonrpc": "2.0", "id": id, "error": details]
  }

  /// Returns a notification.
  static func notification(_ method: String, _ params: JSONValue) -> JSONValue {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }
}
