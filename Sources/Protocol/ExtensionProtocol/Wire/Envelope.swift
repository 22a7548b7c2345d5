// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A message in the form of JSON-RPC 2.0.
enum Envelope {
  /// A request or a notification.
  case call(Call)
  /// A reply.
  case reply(Reply)

  /// A request, or a notification if it has no ID.
  struct Call {
    var id: RequestID?
    /// The method's name.
    var method: String
    /// The parameters; empty if none were sent.
    var parameters: FieldReader

    /// Returns the ID, or throws an error if the message is not a request.
    func requireID() throws(ProtocolViolation) -> RequestID {
      guard let id else { throw ProtocolViolation(method: method, .requestWithoutID) }
      return id
    }

    /// Returns the parameters, or throws an error if the message is not a notification.
    func notificationParameters() throws(ProtocolViolation) -> FieldReader {
      guard id == nil else { throw ProtocolViolation(method: method, id: id, .idOnNotification) }
      return parameters
    }
  }

  /// Creates a message from a line without its newline.
  init(line: [UInt8]) throws(ProtocolViolation) {
    let limits = JSONLimits(bytes: ProtocolLimits.lineBytes, depth: ProtocolLimits.depth)
    let message: JSONValue
    do {
      message = try JSONNode.parse(line, limits: limits).value
    } catch {
      if case .tooLarge(let limit) = error.reason { throw ProtocolViolation(.lineTooLong(limit: limit)) }
      throw ProtocolViolation(.notJSON(error))
    }
    if message.elements != nil { throw ProtocolViolation(.batch) }
    guard message.members != nil else {
      throw ProtocolViolation(
        .wrong(field: "message", expected: "a JSON object", found: message.kindText)
      )
    }
    let version = "the string \"2.0\""
    guard let rpc = message["jsonrpc"] else {
      throw ProtocolViolation(.missing(field: "jsonrpc", expected: version))
    }
    guard rpc == "2.0" else {
      throw ProtocolViolation(.wrong(field: "jsonrpc", expected: version, found: rpc.kindText))
    }
    self = message["method"] == nil ? .reply(try Reply(message)) : .call(try Call(message))
  }

  static func request(_ id: RequestID, _ method: String, _ parameters: JSONValue?) -> [UInt8] {
    line(["jsonrpc": "2.0", "id": id.json, "method": .string(method), "params": parameters])
  }

  static func notification(_ method: String, _ parameters: JSONValue?) -> [UInt8] {
    line(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  static func reply(_ reply: Reply) -> [UInt8] {
    let id = reply.id?.json ?? .null
    switch reply.outcome {
    case .success(let result):
      return line(["jsonrpc": "2.0", "id": id, "result": result])
    case .failure(let error):
      let object = JSONValue.object([
        "code": .integer(Int64(error.code)), "message": .string(error.message), "data": error.data,
      ])
      return line(["jsonrpc": "2.0", "id": id, "error": object])
    }
  }

  private static func line(_ members: KeyValuePairs<String, JSONValue?>) -> [UInt8] {
    JSONValue.object(members).bytes() + [UInt8(ascii: "\n")]
  }
}

extension Envelope.Call {
  init(_ message: JSONValue) throws(ProtocolViolation) {
    let name = message["method"] ?? .null
    guard let method = name.string else {
      throw ProtocolViolation(.wrong(field: "method", expected: "a string", found: name.kindText))
    }
    self.method = method
    if let value = message["id"] {
      guard let id = RequestID(value) else {
        throw ProtocolViolation(
          method: method,
          .wrong(field: "id", expected: "an integer or a string", found: value.kindText)
        )
      }
      self.id = id
    }
    let object = message["params"] ?? [:]
    guard object.members != nil else {
      throw ProtocolViolation(
        method: method,
        id: id,
        .wrong(field: "params", expected: "an object", found: object.kindText)
      )
    }
    parameters = FieldReader(object, method: method, id: id)
  }
}

extension Reply {
  init(_ message: JSONValue) throws(ProtocolViolation) {
    guard let value = message["id"] else {
      throw ProtocolViolation(.missing(field: "method", expected: "a string, except in a reply with \"id\""))
    }
    let id = RequestID(value)
    if id == nil, !value.isNull {
      throw ProtocolViolation(
        .wrong(field: "id", expected: "the integer or string of the request", found: value.kindText)
      )
    }
    switch (message["result"], message["error"]) {
    case (let result?, nil):
      guard id != nil else {
        throw ProtocolViolation(
          .wrong(field: "id", expected: "the ID of the request in a reply with a result", found: "null")
        )
      }
      self.init(id: id, .success(result))
    case (nil, let error?):
      self.init(id: id, .failure(try ErrorObject(error)))
    default:
      throw ProtocolViolation(
        .missing(
          field: "result",
          expected: "present in a reply without \"error\", and absent in a reply with \"error\""
        )
      )
    }
  }
}

extension ErrorObject {
  init(_ value: JSONValue) throws(ProtocolViolation) {
    guard value.members != nil else {
      throw ProtocolViolation(.wrong(field: "error", expected: "an object", found: value.kindText))
    }
    let fields = FieldReader(value, path: "error", method: nil)
    let range = Int(Int32.min)...Int(Int32.max)
    self.init(
      code: try fields.integer("code", in: range),
      message: try fields.string("message"),
      data: value["data"]
    )
  }
}
