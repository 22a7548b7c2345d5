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
  /// The interfaces of the service, with an object of each.
  private static let objects: [BusObject] = [
    .manager, .app("a.b"), .captureExtension(app: "a.b", "a.b.c"), .session("id"),
  ]

  /// Returns an argument for each type of a signature of a method.
  private static func arguments(_ signature: String) -> BusArguments {
    let samples: [(String, BusValue)] = [
      ("a{sv}", .dictionary([])), ("as", .strings([])), ("s", .string("text")), ("b", .bool(true)),
      ("o", .objectPath(BusObject.app("a.b").path)), ("u", .uint32(80)), ("v", .variant(.double(1))),
    ]
    var rest = Substring(signature)
    var values: [BusValue] = []
    while let sample = samples.first(where: { rest.hasPrefix($0.0) }) {
      values.append(sample.1)
      rest = rest.dropFirst(sample.0.count)
    }
    #expect(rest.isEmpty, "\(signature)")
    return BusArguments(values)
  }

  @Test func `each document describes interfaces, and each interface has a document`() {
    let names = BusInterface.documents.flatMap { InterfaceDescription.read($0) ?? [] }.map(\.name)
    #expect(Set(names) == Set(BusInterface.allCases.map(\.rawValue)))
    #expect(names.count == BusInterface.allCases.count)
  }

  @Test func `each method has an operation with a reply of the documented types`() throws {
    let memory = HeldDescriptor(try EventCounter.make())
    let result = OperationResult(["opened": true], descriptors: [memory])
    for object in Self.objects {
      for (name, method) in object.interface.description.methods where name != "GetResult" {
        let operation = try HostOperation.operation(name, of: object, Self.arguments(method.input))
        #expect(
          try operation.reply(result).signature == method.output,
          "\(object.interface.rawValue).\(name)"
        )
      }
    }
  }

  @Test func `each operation is a method of the host interface with known parameters`() throws {
    let path = "\(PackageDirectory.path)/Sources/Host/HostInterface/Schemas/host.openrpc.json"
    let bytes = try #require(try FileSystem.contents(path, limit: 1 << 22))
    let methods = try JSONNode.parse(bytes, limits: .record).value["methods"]?.elements ?? []
    for object in Self.objects {
      for (name, method) in object.interface.description.methods where name != "GetResult" {
        let operation = try HostOperation.operation(name, of: object, Self.arguments(method.input))
        let described = try #require(methods.first { $0["name"]?.string == operation.method }, "\(name)")
        let parameters = described["params"]?.elements ?? []
        let known = Set(parameters.compactMap { $0["name"]?.string })
        let required = Set(parameters.filter { $0["required"] == true }.compactMap { $0["name"]?.string })
        let used = Set((operation.parameters.members ?? []).map(\.name))
        #expect(used.isSubset(of: known) && required.isSubset(of: used), "\(name): \(used)")
      }
    }
  }

  @Test func `each object has the documented properties`() {
    var tree = ObjectTree()
    _ = tree.replaceApps([["id": "a.b", "extensions": [["id": "a.b.c"]]]])
    tree.sessions["id"] = SessionObject("id", target: "a.b.c", owner: .service, launcher: ":1.1")
    for object in Self.objects where object != .manager {
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
    for object in Self.objects {
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
