// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

@testable import HostInterface

/// Tests of the OpenRPC document that describes the interface, and of the check of parameters against it.
@Suite struct InterfaceDescriptionTests {
  private let document = InterfaceDescription.current.document

  /// Returns parameters of `host/diagnose` with a number of policies.
  private static func policyList(_ count: Int) -> String {
    let names = [String](repeating: #""capture""#, count: count)
    return #"{"policies": [\#(names.joined(separator: ","))]}"#
  }

  @Test func `the description is complete, and each reference names a schema`() throws {
    let methods = try #require(document["methods"]?.elements)
    #expect(methods.count > 30 && InterfaceDescription.current.methods.count == methods.count)
    for method in methods {
      let name = try #require(method["name"]?.string)
      #expect(method["summary"]?.string?.isEmpty == false, "\(name)")
      #expect(method["result"]?["schema"]?.members != nil, "\(name)")
    }
    let schemas = Set((document["components"]?["schemas"]?.members ?? []).map(\.name))
    let references = Self.references(in: document)
    #expect(!references.isEmpty)
    for reference in references {
      let prefix = "#/components/schemas/"
      #expect(reference.hasPrefix(prefix) && schemas.contains(String(reference.dropFirst(prefix.count))))
    }
  }

  private static func references(in value: JSONValue) -> [String] {
    switch value {
    case .array(let elements): elements.flatMap(references)
    case .object(let members):
      members.flatMap { member in
        member.name == "$ref" ? [member.value.string ?? ""] : references(in: member.value)
      }
    default: []
    }
  }

  @Test(arguments: [
    ("apps/find", #"{"app": "org.example.app"}"#), ("host/recover", "{}"),
    ("host/diagnose", policyList(16)),
    ("session/launch", #"{"extension": "e", "options": {"camera": "pattern", "grace": 1.5}}"#),
    ("session/launchProgram", #"{"app": "a", "program": "sh", "environment": {"A": "b"}}"#),
  ])
  func `accepts parameters that match their schema`(method: String, params: String) throws {
    #expect(throws: Never.self) { try InterfaceDescription.current.check(method, try parse(params)) }
  }

  @Test(arguments: [
    ("apps/find", "{}", "params.app is missing"),
    ("apps/find", #"{"app": 1}"#, "params.app must be a string, and is an integer"),
    ("apps/find", #"{"app": ""}"#, "params.app must have at least 1 bytes"),
    ("apps/find", #"{"app": "a\u0000b"}"#, "params.app must not contain a NUL character"),
    ("apps/find", #"{"app": "a", "b": 1}"#, "params.b is unknown; remove it, or check its spelling"),
    ("host/hello", #"{"versions": []}"#, "params.versions must have at least 1 elements"),
    ("host/hello", #"{"versions": [0]}"#, "params.versions[0] must be at least 1"),
    ("host/diagnose", #"{"policies": [""]}"#, "params.policies[0] must have at least 1 bytes"),
    ("host/diagnose", policyList(17), "params.policies must have at most 16 elements"),
    (
      "session/launch", #"{"extension": "e", "options": {"grace": 3601}}"#,
      "params.options.grace must be at most 3600"
    ),
    (
      "session/launch", #"{"extension": "e", "options": {"place": "x"}}"#,
      "params.options.place must be one of 'lockScreen', 'elsewhere', 'program'"
    ),
    (
      "session/launchProgram", #"{"app": "a", "program": "p", "environment": {"A": 1}}"#,
      "params.environment.A must be a string, and is an integer"
    ),
  ])
  func `names the parameter that does not match its schema`(
    method: String,
    params: String,
    message: String
  ) throws {
    let error = #expect(throws: OperationError.self) {
      try InterfaceDescription.current.check(method, try parse(params))
    }
    #expect(error?.code == -32602 && error?.message == message)
    #expect(error?.data?["path"]?.string.map { message.hasPrefix($0) } == true)
  }

  @Test func `refuses an unknown method`() {
    let error = #expect(throws: OperationError.self) {
      try InterfaceDescription.current.check("apps/remove", [:])
    }
    #expect(error?.code == -32601)
  }

  private func parse(_ text: String) throws -> JSONValue { try JSONNode.parse(text).value }
}

/// Tests of the framing of the interface.
@Suite struct InterfaceFramingTests {
  @Test(arguments: [1, 2, 3, 7, 100]) func `splits bytes into lines, however they are divided`(size: Int) {
    var splitter = LineSplitter()
    let bytes = Array("one\n\ntwo\nthree".utf8)
    var lines: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let part = bytes[start..<min(bytes.count, start + size)]
      lines += (splitter.add(part, limit: 8) ?? []).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(lines == ["one", "", "two"])
  }

  @Test func `refuses a line that exceeds the limit, with and without its end`() {
    var complete = LineSplitter()
    #expect(complete.add(Array("123456789\n".utf8), limit: 8) == nil)
    var open = LineSplitter()
    #expect(open.add(Array("12345678".utf8), limit: 8) == [])
    #expect(open.add(Array("9".utf8), limit: 8) == nil)
  }

  @Test(arguments: [
    ("[]", Int64(-32600), false), (#"{"jsonrpc": "1.0", "id": 1, "method": "a"}"#, -32600, false),
    (#"{"jsonrpc": "2.0", "id": 1}"#, -32600, false), (#"{"jsonrpc": "2.0", "method": "a"}"#, -32600, false),
    (#"{"jsonrpc": "2.0", "id": null, "method": "a"}"#, -32600, false),
    (#"{"jsonrpc": "2.0", "id": 1, "method": "a", "params": []}"#, -32600, false), ("{", -32700, true),
    ("\u{FEFF}{}", -32700, true),
  ])
  func `refuses a line that is not a request`(line: String, code: Int64, isFatal: Bool) {
    let fault = #expect(throws: InterfaceRequest.Fault.self) { try InterfaceRequest(Array(line.utf8)) }
    #expect(fault?.error.code == code && fault?.isFatal == isFatal)
  }

  @Test func `reads a request, and answers with its identifier`() throws {
    let line = #"{"jsonrpc": "2.0", "id": "7", "method": "lock/get"}"#
    let request = try InterfaceRequest(Array(line.utf8))
    #expect(request.method == "lock/get" && request.params == [:])
    #expect(request.response(true) == ["jsonrpc": "2.0", "id": "7", "result": true])
  }
}
