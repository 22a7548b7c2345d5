// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import Testing

/// Decodes a line that was received from an extension.
private func received(_ text: String) throws -> ExtensionMessage {
  try ExtensionMessage(line: Array(text.utf8))
}

@Suite struct MessageTests {
  @Test func `accepts integer and string request IDs and echoes them unchanged`() throws {
    let number = try received(#"{"jsonrpc":"2.0","id":-7,"method":"context/get"}"#)
    #expect(number == .request(id: .integer(-7), .contextGet))
    let text = try received(#"{"jsonrpc":"2.0","id":"a\"b","method":"context/get"}"#)
    #expect(text == .request(id: .string("a\"b"), .contextGet))
    let reply = Reply(id: .string("a\"b"), result: EmptyResult())
    #expect(String(decoding: HostMessage.reply(reply).line, as: UTF8.self).contains(#""id":"a\"b""#))
  }

  @Test func `decodes capture events and subscriptions that lack the sound fields`() throws {
    let event = try HostMessage(
      line: Array(
        #"{"jsonrpc":"2.0","method":"capture/event","params":{"button":"primary","phase":"began"}}"#.utf8
      )
    )
    #expect(event == .notification(.captureEvent(CaptureEvent(.primary, .began, from: .button, id: 0))))
    let subscription = try received(#"{"jsonrpc":"2.0","id":1,"method":"capture/subscribe","params":{}}"#)
    #expect(subscription == .request(id: .integer(1), .captureSubscribe(defaultSoundDisabled: false)))
  }

  @Test func `keeps fractions of pixels and all digits of the time of a pointer event`() throws {
    let event = PointerEvent(.moved, x: 0.25, y: 8191.99609375, contact: 3, time: 90_071_992_547_409_931)
    let line = HostMessage.notification(.pointerEvent(event)).line
    #expect(try HostMessage(line: Array(line.dropLast())) == .notification(.pointerEvent(event)))
    let subscription = try received(#"{"jsonrpc":"2.0","id":1,"method":"pointer/subscribe"}"#)
    #expect(subscription == .request(id: .integer(1), .pointerSubscribe))
  }

  @Test func `prefers a sound file to a standard sound and requires at least one of them`()
    throws
  {
    func sounds(_ fields: String) throws -> [CaptureSound]? {
      let line = #"{"jsonrpc":"2.0","id":1,"method":"capture/playSound","params":{"event":3\#(fields)}}"#
      guard case .request(_, .capturePlaySound(let request)) = try received(line) else { return nil }
      return request.event == 3 ? request.sounds : nil
    }
    let both = try sounds(#","sound":"endVideoRecording","path":"a/b.wav""#)
    #expect(both == [.file("a/b.wav"), .standard(.endVideoRecording)])
    #expect(try sounds(#","path":"b.wav""#) == [.file("b.wav")])
    let error = #expect(throws: ProtocolViolation.self) { try sounds("") }
    #expect(error?.description.contains("\"params.sound\" is missing; it must be one of") == true)
  }

  @Test func `ignores unknown members of a message`() throws {
    let message = try received(
      #"{"jsonrpc":"2.0","id":1,"method":"camera/start","params":{"delivery":"every","hdr":true},"trace":[]}"#
    )
    #expect(message == .request(id: .integer(1), .cameraStart(.every)))
  }

  @Test func `decodes an unknown method as an unknown request or notification`() throws {
    #expect(
      try received(#"{"jsonrpc":"2.0","id":1,"method":"later/add"}"#)
        == .unknownRequest(id: .integer(1), method: "later/add")
    )
    #expect(
      try received(#"{"jsonrpc":"2.0","method":"later/hint"}"#)
        == .unknownNotification(method: "later/hint")
    )
  }

  @Test(arguments: [
    ("[]", -32600, "an array of messages was sent; send each message as an object on a separate line"),
    ("7", -32600, "the field \"message\" is 7; it must be a JSON object"),
    (
      "", -32700,
      "the line is not valid JSON at 1:1: the text ends inside a value; send one JSON object per line"
    ),
    ("{}", -32600, "the field \"jsonrpc\" is missing; it must be the string \"2.0\""),
    (
      #"{"jsonrpc":2.0,"method":"log"}"#, -32600,
      "the field \"jsonrpc\" is 2.0; it must be the string \"2.0\""
    ),
    (
      #"{"jsonrpc":"2.0","id":1.5,"method":"context/get"}"#, -32600,
      "context/get: the field \"id\" is 1.5; it must be an integer or a string"
    ),
    (
      #"{"jsonrpc":"2.0","id":null,"method":"context/get"}"#, -32600,
      "context/get: the field \"id\" is null; it must be an integer or a string"
    ),
    (
      #"{"jsonrpc":"2.0","method":"context/get"}"#, -32600,
      "context/get: the request has no \"id\"; add an integer or a string"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"log","params":{}}"#, -32600,
      "log: the notification has an \"id\"; remove the \"id\""
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"camera/start","params":["latest"]}"#, -32602,
      "camera/start: the field \"params\" is an array; it must be an object"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"camera/start","params":{"delivery":"some"}}"#, -32602,
      "camera/start: the field \"params.delivery\" is \"some\"; it must be one of \"latest\", \"every\""
    ),
    (
      #"{"jsonrpc":"2.0","method":"viewfinder/presented","params":{"frame":-1}}"#, -32602,
      "viewfinder/presented: the field \"params.frame\" is -1; it must be an integer, 0 or more"
    ),
    (
      #"{"jsonrpc":"2.0","id":1}"#, -32600,
      "the field \"result\" is missing; it must be present in a reply without \"error\", and absent in a reply with "
        + "\"error\""
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":""}}"#, -32600,
      "the field \"error.code\" is \"x\"; it must be an integer, -2147483648 to 2147483647"
    ),
  ])
  func `reports the field and the expected value of a malformed message`(
    text: String,
    code: Int,
    sentence: String
  ) {
    let error = #expect(throws: ProtocolViolation.self) { try received(text) }
    #expect(error?.description == sentence)
    #expect(error?.code.rawValue == code)
  }

  @Test func `keeps the request ID in a violation so that the error reply can be matched`() {
    let error = #expect(throws: ProtocolViolation.self) {
      try received(#"{"jsonrpc":"2.0","id":"q","method":"context/update","params":{}}"#)
    }
    #expect(error?.reply.id == .string("q"))
  }

  @Test func `distinguishes an unconditional context update from one that expects null or a value`() throws {
    let cases: [(text: String, expected: JSONValue?)] = [
      (#"{"context":1}"#, nil), (#"{"context":1,"ifContext":null}"#, .some(.null)),
      (#"{"context":1,"ifContext":{"b":2,"a":[]}}"#, ["b": 2, "a": .array([])]),
    ]
    for (text, expected) in cases {
      let line = #"{"jsonrpc":"2.0","id":1,"method":"context/update","params":\#(text)}"#
      let message = try received(line)
      #expect(message == .request(id: .integer(1), .contextUpdate(1, ifContext: expected)))
      #expect(String(decoding: message.line, as: UTF8.self) == line + "\n")
    }
  }

  @Test func `encodes the current context in a context-changed error even if it is null`() throws {
    for present in [JSONValue.null, ["zoom": 2]] {
      let error = ErrorObject.contextChanged(present: present)
      let reply = HostMessage.reply(Reply(id: .integer(1), .failure(error)))
      guard case .reply(let read) = try HostMessage(line: reply.line), case .failure(let found) = read.outcome
      else {
        Issue.record("the reply should be read as one")
        return
      }
      #expect(found.code == 4018)
      #expect(found.currentContext == present)
    }
    #expect(ErrorObject.contextTooLarge(bytes: 5000).currentContext == nil)
  }

  @Test func `bounds the length of a violation message that quotes an oversized value`() {
    let long = String(repeating: "x", count: 5000)
    let error = #expect(throws: ProtocolViolation.self) {
      try received(#"{"jsonrpc":"2.0","id":1,"method":"camera/start","params":{"delivery":"\#(long)"}}"#)
    }
    #expect((error?.description.count ?? 5000) < 300)
  }

  @Test func `accepts a message at the nesting limit and rejects a deeper one`() throws {
    func text(_ depth: Int) -> String {
      let open = String(repeating: "[", count: depth)
      let close = String(repeating: "]", count: depth)
      return #"{"jsonrpc":"2.0","id":1,"method":"context/update","params":{"context":\#(open)\#(close)}}"#
    }
    _ = try received(text(ProtocolLimits.depth - 2))
    let error = #expect(throws: ProtocolViolation.self) { try received(text(ProtocolLimits.depth - 1)) }
    #expect(error?.code == .parseError)
  }

  @Test func `negotiates the newest common version and reports both sides of a mismatch`() throws {
    #expect(try ProtocolVersion.negotiate(offered: [1, 2, 3], supported: [2, 1]) == 2)
    let error = #expect(throws: VersionMismatch.self) {
      try ProtocolVersion.negotiate(offered: [1], supported: [3, 2])
    }
    #expect(
      error?.description
        == "the host supports protocol version 1, but the extension supports versions 2, 3; "
        + "use a newer darkroom, or build the extension for a version that this darkroom supports"
    )
    #expect(error.map(ErrorObject.unsupportedVersion)?.supportedVersions == [3, 2])
  }
}
