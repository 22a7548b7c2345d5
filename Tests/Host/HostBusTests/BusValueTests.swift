// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

@Suite struct BusValueTests {
  @Test func `converts the members of an object to a dictionary with the documented types`() throws {
    let object: JSONValue = [
      "text": "x", "integer": 7, "number": 1.5, "flag": true, "nothing": .null, "list": ["a", "b"],
      "objects": [["a": 1]], "object": ["b": 2], "numbers": [1, 2], "mixed": ["a", 1],
    ]
    let value = BusValue(object: object)
    #expect(value.signature == "a{sv}")
    let types = (value.elements ?? []).map { entry -> String in
      guard case .entry(let name, .variant(let content)) = entry else { return "" }
      return "\(name.text ?? "") \(content.signature)"
    }
    #expect(
      types == [
        "text s", "integer x", "number d", "flag b", "list as", "objects aa{sv}", "object a{sv}",
        "numbers ax", "mixed av",
      ]
    )
    // The reverse conversion loses only `null`.
    let members = (object.members ?? []).filter { !$0.value.isNull }
    #expect(try value.json() == .object(members))
  }

  @Test func `an empty array has the type of its elements in the host interface`() {
    let value = BusValue(object: ["files": [], "notices": []])
    let signatures = (value.elements ?? []).map { entry -> String in
      if case .entry(_, .variant(let content)) = entry { content.signature } else { "" }
    }
    #expect(signatures == ["aa{sv}", "as"])
  }

  @Test func `knows each member of the host interface that is an array of objects`() throws {
    let path = "\(PackageDirectory.path)/Sources/Host/HostInterface/Schemas/host.openrpc.json"
    let bytes = try #require(try FileSystem.contents(path, limit: 1 << 22))
    let document = try JSONNode.parse(bytes, limits: .record).value
    let schemas = try #require(document["components"]?["schemas"])
    var found: [String: Set<Bool>] = [:]
    func resolved(_ schema: JSONValue) -> JSONValue {
      guard let name = schema["$ref"]?.string?.split(separator: "/").last else { return schema }
      return resolved(schemas[String(name)] ?? .null)
    }
    func visit(_ value: JSONValue) {
      for property in value["properties"]?.members ?? [] {
        let schema = resolved(property.value)
        guard schema["type"] == "array", let items = schema["items"] else { continue }
        found[property.name, default: []].insert(resolved(items)["type"] == "object")
      }
      for member in value.members ?? [] { visit(member.value) }
      for element in value.elements ?? [] { visit(element) }
    }
    visit(document)
    #expect(Set(found.filter { $0.value == [true] }.keys) == BusValue.objectLists)
    #expect(found.values.allSatisfy { $0.count == 1 }, "a name has two types of elements")
  }

  @Test func `rejects values without an equivalent in JSON`() throws {
    let duplicate = BusValue.array(
      element: "{sv}",
      [.entry(.string("a"), .variant(.bool(true))), .entry(.string("a"), .variant(.bool(false)))]
    )
    let numbered = BusValue.array(element: "{us}", [.entry(.uint32(1), .string("a"))])
    let descriptor = BusValue.descriptor(HeldDescriptor(try EventCounter.make()))
    let values: [BusValue] = [
      .uint64(.max), .double(.nan), .double(.infinity), .structure([.bool(true)]), duplicate, numbered,
      descriptor, .variant(.structure([])), .array(element: "d", [.double(.nan)]),
    ]
    for value in values {
      #expect(throws: BusFailure.self, "\(value)") { try value.json() }
    }
  }

  @Test func `replaces characters that a D-Bus string cannot contain`() throws {
    #expect(BusText.sanitized("plain ä \u{1F4F7}") == "plain ä \u{1F4F7}")
    #expect(BusText.sanitized("a\0b") == "a\u{FFFD}b")
    for number: UInt32 in [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] {
      let scalar = try #require(Unicode.Scalar(number))
      #expect(BusText.sanitized("a\(scalar)") == "a\u{FFFD}")
    }
    #expect(BusText.sanitized("\u{FDCF}\u{FDF0}\u{FFFD}") == "\u{FDCF}\u{FDF0}\u{FFFD}")
  }

  @Test func `names errors of operations after their kinds`() {
    #expect(BusFailure.own("notInstalled", "x").name == "org.darkroom.Host1.Error.NotInstalled")
    #expect(BusFailure.invalidArguments("x").name == "org.freedesktop.DBus.Error.InvalidArgs")
  }
}
