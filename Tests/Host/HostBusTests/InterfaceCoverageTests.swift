// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// Tests that D-Bus clients have all operations of the JSON-RPC interface.
@Suite struct InterfaceCoverageTests {
  /// The description of the JSON-RPC interface (OpenRPC).
  private let document: JSONValue

  init() throws {
    let path = "\(PackageDirectory.path)/Sources/Host/HostInterface/Schemas/host.openrpc.json"
    let bytes = try #require(try FileSystem.contents(path, limit: 1 << 22))
    document = try JSONNode.parse(bytes, limits: .record).value
  }

  /// The members that replace methods of the JSON-RPC interface. The reference page has the reasons.
  private static let replacements: [String: (interface: BusInterface, member: String)] = [
    "host/hello": (.manager, "Version"), "rpc.discover": (.introspectable, "Introspect"),
    "apps/list": (.objectManager, "GetManagedObjects"), "apps/find": (.app, "Name"),
    "content/watch": (.app, "ContentAdded"), "content/unwatch": (.app, "ContentAdded"),
    "session/list": (.objectManager, "GetManagedObjects"), "session/result": (.session, "GetResult"),
    "lock/get": (.manager, "LockState"), "lock/set": (.manager, "LockState"),
    "policy/list": (.manager, "Policies"),
  ]

  @Test func `each method of the host interface has a D-Bus method, or a documented replacement`() throws {
    let performed = Set(try DocumentedOperations.methods().map(\.operation.method))
    let replaced = Set(Self.replacements.keys)
    let all = Set((document["methods"]?.elements ?? []).compactMap { $0["name"]?.string })
    #expect(performed.union(replaced) == all)
    #expect(performed.isDisjoint(with: replaced))
  }

  @Test func `each replacement is a member of its interface, and the reference page has the reason`() throws {
    let page = "\(PackageDirectory.path)/Sources/Darkroom.docc/Reference/DBus.md"
    let text = String(decoding: try #require(try FileSystem.contents(page, limit: 1 << 20)), as: UTF8.self)
    for (method, (interface, member)) in Self.replacements {
      let description = interface.description
      let members = Set(description.methods.keys).union(description.signals.keys)
        .union(description.properties.keys)
      #expect(members.contains(member), "\(method)")
      #expect(text.contains("\n| `\(method)` | `\(interface.rawValue)` | `\(member)` | "), "\(method)")
    }
  }

  @Test func `each operation is a method of the host interface with known parameters`() throws {
    let methods = document["methods"]?.elements ?? []
    for method in try DocumentedOperations.methods() {
      let described = try #require(
        methods.first { $0["name"]?.string == method.operation.method },
        "\(method.name)"
      )
      let parameters = described["params"]?.elements ?? []
      let known = Set(parameters.compactMap { $0["name"]?.string })
      let required = Set(parameters.filter { $0["required"] == true }.compactMap { $0["name"]?.string })
      let used = Set((method.operation.parameters.members ?? []).map(\.name))
      #expect(used.isSubset(of: known) && required.isSubset(of: used), "\(method.name): \(used)")
    }
  }

  @Test(arguments: [("App", BusInterface.app), ("Extension", .captureExtension)])
  func `each member of an installed app is a property`(schema: String, interface: BusInterface) throws {
    let schemas = document["components"]?["schemas"]
    let members = try #require(schemas?[schema]?["properties"]?.members).map(\.name)
    // Extensions are objects below that of the app.
    for member in members where member != "extensions" {
      let name = member.prefix(1).uppercased() + member.dropFirst()
      #expect(interface.description.properties[name] != nil, "\(interface.rawValue): \(name)")
    }
  }
}
