// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// Tests of the interfaces on the bus, with the clients `gdbus`, `busctl` and `dbus-send`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostBusInterfaceTests {
  private static let manager = "org.darkroom.Host1.Manager"
  private static let standard = "org.freedesktop.DBus.Error"
  private static let limitsExceeded = "\(standard).LimitsExceeded"

  /// Starts a server with an installed app. Returns the rig, a client, and the paths of an app and its
  /// extension.
  private func installed() throws -> (BusRig, BusClient, app: String, captureExtension: String) {
    let rig = try BusRig(options: ["--lock-state", "settable"])
    let client = try rig.client()
    let app = try client.call(BusObject.root, .manager, "Install", .string(try rig.snapshotBundle()))[0].text
    let object = BusObject.captureExtension(app: BusRig.app, "\(BusRig.app).snapshot")
    return (rig, client, try #require(app), object.path)
  }

  @Test func `introspection returns the documents of the interfaces`() throws {
    let (rig, _, app, captureExtension) = try installed()
    for (path, interface) in [
      (BusObject.root, BusInterface.manager), (app, .app), (captureExtension, .captureExtension),
    ] {
      let text = try rig.shell(
        "gdbus introspect --session --dest org.darkroom.Host1 --object-path \(path) --xml"
      )
      for described in [interface, .properties, .introspectable, .peer] {
        #expect(text.contains(described.description.text), "\(path): \(described)")
      }
      #expect(text.contains(BusInterface.objectManager.rawValue) == (path == BusObject.root))
    }
    let tree = try rig.shell("busctl --user --list tree org.darkroom.Host1")
    let paths = [BusObject.root, BusObject.apps, BusObject.sessions, app, captureExtension]
    #expect(Set(tree.split(separator: "\n").map(String.init)).isSuperset(of: paths), "\(tree)")
  }

  @Test func `busctl lists each member of the documents with its types`() throws {
    let (rig, client, app, captureExtension) = try installed()
    let session = try rig.launchScript(client)
    for (path, interface) in [
      (BusObject.root, BusInterface.manager), (app, .app), (captureExtension, .captureExtension),
      (session, .session),
    ] {
      let text = try rig.shell("busctl --user introspect org.darkroom.Host1 \(path) \(interface.rawValue)")
      var found: [String: String] = [:]
      for line in text.split(separator: "\n").dropFirst() {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 4 else { continue }
        found[words[0]] = words[1] == "method" ? "\(words[2]) \(words[3])" : words[2]
      }
      let description = interface.description
      func column(_ signature: String) -> String { signature.isEmpty ? "-" : signature }
      for (name, method) in description.methods {
        #expect(found[".\(name)"] == "\(column(method.input)) \(column(method.output))", "\(text)")
      }
      for (name, signature) in description.signals { #expect(found[".\(name)"] == column(signature)) }
      for (name, property) in description.properties { #expect(found[".\(name)"] == property.signature) }
      let count = description.methods.count + description.signals.count + description.properties.count
      #expect(found.count == count, "\(text)")
    }
  }

  @Test func `lists all objects with their properties, including an app that another program installed`()
    throws
  {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    #expect(try client.call(BusObject.root, .objectManager, "GetManagedObjects")[0].elements?.isEmpty == true)
    let command =
      "'\(try BusRig.program("darkroom"))' install --root '\(rig.root)' '\(try rig.snapshotBundle())'"
    _ = try rig.shell(command)
    let app = BusObject.app(BusRig.app)
    // A call of an unknown app reads the list again.
    #expect(try client.property(app.path, .app, "Name") == "Sample")
    let objects = try client.call(BusObject.root, .objectManager, "GetManagedObjects")
    #expect(objects.signature == "a{oa{sa{sv}}}")
    let entries = (objects[0].elements ?? []).compactMap { entry -> (String, BusValue)? in
      if case .entry(.objectPath(let path), let interfaces) = entry { (path, interfaces) } else { nil }
    }
    let captureExtension = BusObject.captureExtension(app: BusRig.app, "\(BusRig.app).snapshot")
    #expect(entries.map(\.0) == [app.path, captureExtension.path])
    let properties = try entries.map { try $0.1.json() }
    #expect(properties[0]["org.darkroom.Host1.App"]?["Id"] == .string(BusRig.app))
    let controls = properties[0]["org.darkroom.Host1.App"]?["Controls"]?.elements
    #expect(controls?.first?["title"] == "Photo")
    #expect(properties[1]["org.darkroom.Host1.Extension"]?["App"] == .string(app.path))
    try client.call(BusObject.root, .manager, "Uninstall", .objectPath(app.path), .bool(false))
    try client.signal("InterfacesRemoved", of: BusObject.root) { $0[0].text == app.path ? () : nil }
    #expect(
      client.failure(app.path, "org.darkroom.Host1.App", "ListContent") == "\(Self.standard).UnknownObject"
    )
  }

  @Test func `sets the lock state, and reports the change to all clients`() throws {
    let (rig, client, _, _) = try installed()
    let lines = rig.file("monitor")
    let monitor = try InteractiveProcess(
      [
        "/bin/sh", "-c",
        "exec busctl --address='\(rig.address)' --json=short monitor org.darkroom.Host1 >'\(lines)'",
      ],
      environment: ["PATH=/usr/bin:/bin"]
    )
    func text(_ path: String) -> String {
      String(decoding: (try? FileSystem.contents(path, limit: 1 << 22)) ?? [], as: UTF8.self)
    }
    // The monitor is ready if it prints calls. Not all versions of busctl print a message then.
    let isMonitoring = TestTimeout.waitUntil {
      _ = try? client.property(BusObject.root, .manager, "Version")
      return !text(lines).isEmpty
    }
    #expect(isMonitoring)
    // The state is locked at the start of the server.
    #expect(try client.property(BusObject.root, .manager, "CanSetLockState") == true)
    let states = ["unlocked", "locked", "unlocked"]
    for state in states {
      _ = try rig.shell(
        "busctl --user set-property org.darkroom.Host1 /org/darkroom/Host1 \(Self.manager) LockState s \(state)"
      )
      #expect(try client.property(BusObject.root, .manager, "LockState") == .string(state))
      try client.change("LockState", of: BusObject.root, to: .string(state))
    }
    let isReported = TestTimeout.waitUntil {
      text(lines).split(separator: "\n").count { $0.contains("\"member\":\"PropertiesChanged\"") }
        >= states.count
    }
    #expect(isReported, "\(text(lines))")
    monitor.terminate()
  }

  /// Calls that fail: the path, interface, method and arguments, and the name of the error.
  private static func failingCalls(_ app: String) -> [(String, String, String, [BusValue], String)] {
    let (properties, object) = ("org.freedesktop.DBus.Properties", "org.darkroom.Host1.App")
    return [
      ("/org/other", manager, "Recover", [], "UnknownObject"),
      (BusObject.sessions + "/a", "org.darkroom.Host1.Session", "Dismiss", [], "UnknownObject"),
      (BusObject.apps, object, "ListContent", [], "UnknownInterface"),
      (BusObject.root, "org.example.Other", "Recover", [], "UnknownInterface"),
      (BusObject.root, manager, "Other", [], "UnknownMethod"),
      (BusObject.root, manager, "Install", [], "InvalidArgs"),
      (BusObject.root, manager, "Install", [.int32(1)], "InvalidArgs"),
      (BusObject.root, manager, "Uninstall", [.objectPath("/a"), .bool(true)], "InvalidArgs"),
      (BusObject.root, properties, "Get", [.string(manager), .string("Other")], "UnknownProperty"),
      (BusObject.root, properties, "Get", [.string("a.b"), .string("Version")], "UnknownInterface"),
      (
        BusObject.root, properties, "Set",
        [.string(manager), .string("Version"), .variant(.string("1"))], "PropertyReadOnly"
      ),
      (
        BusObject.root, properties, "Set",
        [.string(manager), .string("LockState"), .variant(.bool(true))], "InvalidArgs"
      ),
      (
        BusObject.root, properties, "Set",
        [.string(manager), .string("LockState"), .variant(.string("open"))], "InvalidArgs"
      ),
      (
        BusObject.root, properties, "Set",
        [.string(manager), .string("CanSetLockState"), .variant(.bool(false))], "PropertyReadOnly"
      ),
      (app, object, "SetPermission", [.string("rocket"), .string("denied"), .strings([])], "InvalidArgs"),
      (app, object, "PressControl", [.string(""), .dictionary([])], "InvalidArgs"),
      (app, object, "SetStorageLimits", [.dictionary([("bytes", .int64(-1))])], "InvalidArgs"),
      (app, object, "SetStorageLimits", [.dictionary([("app", .string("a.b"))])], "InvalidArgs"),
      (app, object, "AddPhotoAssets", [.strings([])], "InvalidArgs"),
      (BusObject.root, manager, "ListLog", [.dictionary([("limit", .uint32(0))])], "InvalidArgs"),
      (BusObject.root, manager, "ListPhotoAssets", [.dictionary([("limit", .string("1"))])], "InvalidArgs"),
      (BusObject.root, manager, "GetLogRecord", [.string("a")], "InvalidArgs"),
    ]
  }

  @Test func `returns the documented errors`() throws {
    let (rig, client, app, _) = try installed()
    for (path, interface, member, arguments, name) in Self.failingCalls(app) {
      let failure: String?
      do throws(BusFailure) {
        _ = try client.bus.call(BusClient.service, path, interface, member, arguments)
        failure = nil
      } catch { failure = error.name }
      #expect(failure == "\(Self.standard).\(name)", "\(path) \(interface).\(member)")
    }
    // Errors of operations have the kinds of the host interface.
    let launch = try rig.shell(
      """
      ! gdbus call --session --dest org.darkroom.Host1 --object-path /org/darkroom/Host1 \\
        --method \(Self.manager).Launch org.example.none '{}'
      """
    )
    #expect(launch.contains("org.darkroom.Host1.Error.NotInstalled: "), "\(launch)")
    let types = try rig.shell(
      """
      ! dbus-send --session --print-reply --dest=org.darkroom.Host1 /org/darkroom/Host1 \\
        \(Self.manager).Install int32:1
      """
    )
    let message = "Install expects arguments of the types 's', not 'i'"
    #expect(types.contains("Error org.freedesktop.DBus.Error.InvalidArgs: \(message)"), "\(types)")
  }

  @Test func `a server with a fixed lock state has a read-only property`() throws {
    let rig = try BusRig(options: ["--lock-state", "locked"])
    let client = try rig.client()
    #expect(try client.property(BusObject.root, .manager, "LockState") == "locked")
    #expect(try client.property(BusObject.root, .manager, "CanSetLockState") == false)
    let arguments: [BusValue] = [
      .string(Self.manager), .string("LockState"), .variant(.string("unlocked")),
    ]
    let failure = #expect(throws: BusFailure.self) {
      try client.bus.call(
        BusClient.service,
        BusObject.root,
        "org.freedesktop.DBus.Properties",
        "Set",
        arguments
      )
    }
    #expect(failure?.name == "\(Self.standard).PropertyReadOnly")
    #expect(failure?.message.contains("--lock-state settable") == true)
  }

  @Test func `the app context, permissions and policies are available over D-Bus`() throws {
    let (rig, client, app, _) = try installed()
    #expect(try client.call(app, .app, "GetContext")[0].text == "")
    try client.call(app, .app, "SetContext", .string(#"{"a": 1}"#))
    #expect(try client.call(app, .app, "GetContext")[0].text == #"{"a":1}"#)
    try client.call(app, .app, "ClearContext")
    #expect(try client.call(app, .app, "GetContext")[0].text == "")
    try client.call(app, .app, "SetPermission", .string("camera"), .string("denied"), .strings([]))
    let permissions = try client.call(app, .app, "GetPermissions")
    #expect(permissions.signature == "a{sa{sv}}")
    #expect(try permissions[0].json()["camera"]?["decision"] == "denied")
    try client.call(app, .app, "ResetPermission", .string(""))
    #expect(try client.call(app, .app, "ListQuarantine").signature == "aa{sv}")

    let lines = try rig.shell(
      "busctl --user call org.darkroom.Host1 /org/darkroom/Host1 \(Self.manager) ExplainPolicy su capture 80"
    )
    #expect(lines.hasPrefix("as "))
    let proof = try client.call(BusObject.root, .manager, "VerifyPolicy", .string("capture"))
    #expect(proof[0].bool == true && proof[1].elements?.isEmpty == false)
    let arguments: [BusValue] = [.string("strict"), .string("capture")]
    let comparison = try client.call(BusObject.root, .manager, "ComparePolicies", arguments[0], arguments[1])
    #expect(comparison[0].bool == true && comparison.signature == "baa{sv}aa{sv}")
    let recovery = try client.call(BusObject.root, .manager, "Recover")
    #expect(recovery[0].bool == true && recovery.signature == "baa{sv}as")
    let faults = try client.call(BusObject.root, .manager, "Validate", .string(rig.file("Sample")))
    #expect(faults[0].elements?.isEmpty == true)
  }

  @Test func `random arguments never stop the service`() throws {
    let (_, client, app, captureExtension) = try installed()
    let paths = [BusObject.root, app, captureExtension, BusObject.apps, "/"]
    // sd-bus itself answers calls of `Peer`, whatever their arguments.
    let methods = BusInterface.allCases.filter { $0 != .peer }.flatMap { interface in
      interface.description.methods.map { (interface.rawValue, $0.key, $0.value.input) }
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    var random = RandomBusValues(seed: DifferentialRuns.seed)
    for _ in 0..<DifferentialRuns.count(300) {
      let (interface, member, input) = random.pick(methods)
      let arguments = random.arguments()
      // A call with the right types could install or launch.
      if arguments.signature == input { continue }
      let failure: String?
      do throws(BusFailure) {
        _ = try client.bus.call(BusClient.service, random.pick(paths), interface, member, arguments)
        failure = nil
      } catch { failure = error.name }
      let isExpected = ["InvalidArgs", "UnknownInterface", "UnknownMethod", "LimitsExceeded"].contains {
        failure == "\(Self.standard).\($0)"
      }
      #expect(isExpected || failure == "", "\(member) \(arguments): \(failure ?? "no error")")
    }
    for _ in 0..<DifferentialRuns.count(100) {
      let arguments = [BusValue.string("org.example.none"), random.options()]
      let failure = client.failure(BusObject.root, Self.manager, "Launch", arguments[0], arguments[1])
      #expect(failure != nil && failure != "\(Self.standard).NoReply", "\(arguments)")
    }
    let operations = [
      (app, BusInterface.app, "SetStorageLimits"), (BusObject.root, .manager, "SetStorageLimits"),
      (BusObject.root, .manager, "ListLog"),
    ]
    for _ in 0..<DifferentialRuns.count(100) {
      let (path, interface, member) = random.pick(operations)
      let options = random.options()
      let failure = client.failure(path, interface.rawValue, member, options)
      // An empty name means that the client could not create the message.
      let isExpected = [nil, "", "\(Self.standard).InvalidArgs", Self.limitsExceeded].contains(failure)
      #expect(isExpected, "\(member) \(options): \(failure ?? "")")
    }
    #expect(try client.property(BusObject.root, .manager, "Version").string?.isEmpty == false)
  }
}
