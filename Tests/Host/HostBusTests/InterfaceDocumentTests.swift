// SPDX-License-Identifier: Apache-2.0

import HostInterface
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus
@testable import HostInterface

/// Tests of the documents that describe the interfaces, and of their agreement with the code.
@Suite struct InterfaceDocumentTests {
  @Test func `each document describes interfaces, and each interface has a document`() {
    let names = BusInterface.documents.flatMap { InterfaceDescription.read($0) ?? [] }.map(\.name)
    #expect(Set(names) == Set(BusInterface.allCases.map(\.rawValue)))
    #expect(names.count == BusInterface.allCases.count)
  }

  @Test func `each method has an operation with a reply of the documented types`() throws {
    let memory = HeldDescriptor(try EventCounter.make())
    let result = OperationResult(["opened": true], descriptors: [memory])
    for method in try DocumentedOperations.methods() {
      #expect(try method.operation.reply(result).signature == method.output, "\(method.name)")
    }
  }

  @Test func `each object has the documented properties`() {
    var tree = ObjectTree()
    _ = tree.replaceApps([["id": "a.b", "extensions": [["id": "a.b.c"]]]])
    tree.sessions["id"] = SessionObject("id", target: "a.b.c", owner: .service, launcher: ":1.1")
    for object in DocumentedOperations.objects where object != .manager {
      let properties = tree.properties(of: object).map { ($0.0, $0.1.signature) }
      let documented = object.interface.description.properties.mapValues(\.signature)
      #expect(Dictionary(uniqueKeysWithValues: properties) == documented, "\(object.path)")
    }
  }

  @Test func `options cannot repeat an argument, and detached is a Boolean`() throws {
    let repeated = BusValue.dictionary([("app", .string("a.b"))])
    #expect(throws: BusFailure.self) { try BusLaunchOptions(repeated, reserved: ["app"]) }
    #expect(throws: BusFailure.self) { try BusLaunchOptions(.dictionary([("detached", .string("yes"))])) }
    let detached = try BusLaunchOptions(
      .dictionary([("detached", .bool(true)), ("camera", .string("pattern"))])
    )
    #expect(detached.lifetime == .service)
    #expect(detached.members == [.init("camera", "pattern")])
    #expect(try BusLaunchOptions(.dictionary([])).lifetime == .caller)
  }

  @Test func `the reference page names each member and argument of the documents`() throws {
    let page = "\(PackageDirectory.path)/Sources/Darkroom.docc/Reference/DBus.md"
    let text = String(decoding: try #require(try FileSystem.contents(page, limit: 1 << 20)), as: UTF8.self)
    for object in DocumentedOperations.objects {
      let name = object.interface.rawValue
      let section = try #require(
        text.split(separator: "\n## ").first { $0.contains("\nInterface `\(name)`") },
        "\(name)"
      )
      let interface = try #require(XMLElement.root(of: Array(object.interface.description.text.utf8)))
      for member in interface.children where member.name != "annotation" {
        let type = member.name == "property" ? "\(member.attributes["type"] ?? "") " : ""
        #expect(
          section.contains("\n| `\(member.attributes["name"] ?? "")` | \(type)|"),
          "\(member.attributes)"
        )
        for argument in member.children where argument.name == "arg" {
          let mark = argument.attributes["direction"] == "out" ? "→ " : ""
          let cells =
            "| \(mark)`\(argument.attributes["name"] ?? "")` | \(argument.attributes["type"] ?? "") |"
          #expect(section.contains(cells), "\(argument.attributes)")
        }
      }
    }
  }

  @Test(arguments: [
    "", "<node", "<node>", "<node><interface></node>",
    "<node><interface name=\"a\"><method/></interface></node>",
    "<node><interface name=a></interface></node>", "<other/>", "<!-- <node></node> -->",
    "<node><interface name=\"a\"><property name=\"b\" type=\"s\" access=\"all\"/></interface></node>",
  ])
  func `rejects a malformed document`(text: String) {
    #expect(InterfaceDescription.read(Array(text.utf8)) == nil)
  }

  @Test func `reads signatures, entities and both kinds of quotes`() throws {
    let text = """
      <?xml version="1.0"?><!DOCTYPE node PUBLIC "a" "b">
      <node><!-- <interface name="c"/> -->
        <interface name='d'>
          <annotation name="e" value="&lt;&quot;&amp;lt;"/>
          <method name="f"><arg type="s" direction="in"/><arg type="a{sv}" direction="out"/><arg direction="in" type="u"/></method>
          <method name="g"/><signal name="h"><arg type="as"/></signal>
          <property name="i" type="v" access="readwrite"/>
        </interface>
      </node>
      """
    let interface = try #require(InterfaceDescription.read(Array(text.utf8))?.first)
    #expect(interface.name == "d")
    #expect(
      interface.methods == ["f": .init(input: "su", output: "a{sv}"), "g": .init(input: "", output: "")]
    )
    #expect(interface.signals == ["h": "as"])
    #expect(interface.properties == ["i": .init(signature: "v", access: .readWrite)])
    #expect(interface.text.hasPrefix("<interface name='d'>") && interface.text.hasSuffix("</interface>"))
    let root = try #require(XMLElement.root(of: Array(text.utf8)))
    #expect(root.children[0].children[0].attributes["value"] == "<\"&lt;")
  }
}
