// SPDX-License-Identifier: Apache-2.0

import JSONText
import TestSupport
import Testing

@testable import HostBus

@Suite struct BusObjectTests {
  @Test(arguments: [
    ("org.darkroom.sample", "org_2edarkroom_2esample"), ("9lives", "_39lives"), ("a9", "a9"), ("", "_"),
    ("a_b-c", "a_5fb_2dc"), ("ä", "_c3_a4"), ("A Z", "A_20Z"),
  ])
  func `escapes an ID as sd_bus_path_encode does`(id: String, element: String) {
    #expect(BusObject.encoded(id) == element)
    #expect(BusObject.decoded(element) == id)
  }

  @Test(arguments: ["_2", "_zz", "_+1", "_61", "9", "a.b", "_c3", "__", "_2E"])
  func `rejects an element that no ID is escaped to`(element: String) {
    #expect(BusObject.decoded(element) == nil)
  }

  @Test func `an object has one path, and the path leads back to the object`() {
    let id = "0b6a3b1c-9d0e-4f5a-8b7c-1d2e3f4a5b6c"
    let objects: [(BusObject, String)] = [
      (.manager, "/org/darkroom/Host1"), (.app("a.b"), "/org/darkroom/Host1/apps/a_2eb"),
      (.captureExtension(app: "a.b", "a.b.c"), "/org/darkroom/Host1/apps/a_2eb/extensions/a_2eb_2ec"),
      (.session(id), "/org/darkroom/Host1/sessions/\(id.replacing("-", with: "_"))"),
    ]
    for (object, path) in objects {
      #expect(object.path == path)
      #expect(BusObject(path: path) == object)
    }
    for path in [
      "/", "/org/darkroom", "/org/darkroom/Host1/", "/org/darkroom/Host1/apps", "/org/darkroom/Host12",
    ] {
      #expect(BusObject(path: path) == nil, "\(path)")
    }
  }
}

@Suite struct ObjectTreeTests {
  private static func app(_ id: String, name: String = "A", _ extensions: String...) -> JSONValue {
    .object([
      "id": .string(id), "name": .string(name), "installedAt": 1, "controls": [],
      "extensions": .array(
        extensions.map { ["id": .string($0), "name": "E", "policy": "capture", "usesProtocol": true] }
      ),
    ])
  }

  @Test func `reports the objects that appear, change and disappear`() {
    var tree = ObjectTree()
    let first = tree.replaceApps([Self.app("a", "a.x"), Self.app("b")])
    #expect(first.added == [.app("a"), .captureExtension(app: "a", "a.x"), .app("b")])
    #expect(first.removed.isEmpty && first.changed.isEmpty)
    let second = tree.replaceApps([Self.app("a", name: "new", "a.y"), Self.app("b")])
    #expect(second.added == [.captureExtension(app: "a", "a.y")])
    #expect(second.removed == [.captureExtension(app: "a", "a.x")])
    #expect(second.changed == [.app("a")])
    let third = tree.replaceApps([])
    #expect(third.removed == [.app("b"), .captureExtension(app: "a", "a.y"), .app("a")])
    #expect(tree.objects.isEmpty)
  }

  @Test func `lists the nodes of each path that leads to an object`() {
    var tree = ObjectTree()
    _ = tree.replaceApps([Self.app("a", "a.x")])
    #expect(tree.children(of: "/") == ["org"])
    #expect(tree.children(of: "/org/darkroom/Host1") == ["apps", "sessions"])
    #expect(tree.children(of: BusObject.apps) == ["a"])
    #expect(tree.children(of: BusObject.sessions) == [])
    #expect(tree.children(of: "\(BusObject.apps)/a/extensions") == ["a_2ex"])
    #expect(tree.children(of: "\(BusObject.apps)/a/extensions/a_2ex") == [])
    #expect(tree.children(of: "\(BusObject.apps)/b") == nil)
    #expect(tree.children(of: "/org/darkroom/Host") == nil)
    #expect(tree.interfaces(at: "/org") == [.introspectable, .peer])
    #expect(tree.interfaces(at: BusObject.root)?.contains(.objectManager) == true)
    #expect(tree.interfaces(at: "/other") == nil)
  }

  @Test func `a session reports the properties that an event changes`() {
    var session = SessionObject("id", target: "a.x", owner: .service, launcher: ":1.1")
    #expect(session.apply(["kind": "started"]).isEmpty)
    #expect(session.apply(["kind": "presented"]).map(\.0) == ["Presented"])
    #expect(session.apply(["kind": "presented"]).isEmpty)
    #expect(session.apply(["kind": "acceptsPresses", "accepts": true]).map(\.0) == ["AcceptsPresses"])
    #expect(session.apply(["kind": "dismissing"]).map(\.0) == ["State"])
    #expect(!session.hasEnded)
    #expect(session.apply(["kind": "ended"]).map(\.0) == ["State", "AcceptsPresses"])
    #expect(session.hasEnded && session.end().isEmpty)
  }
}
