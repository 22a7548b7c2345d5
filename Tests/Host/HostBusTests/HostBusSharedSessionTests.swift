// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// Tests of the objects of sessions that clients launch over the JSON-RPC interface of the same server.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostBusSharedSessionTests {
  /// Launches a program that writes a file and waits. Returns the ID of the session.
  private func launch(_ client: JSONClient) throws -> String {
    let script: JSONValue = ["-c", "echo text >/session/file; exec sleep 1000"]
    let launched = try client.call(
      "session/launchProgram",
      ["app": .string(BusRig.app), "program": "/bin/sh", "arguments": script]
    )
    return try #require(launched["session"]?.string)
  }

  @Test func `a D-Bus client sees and ends the session of a JSON-RPC client`() throws {
    let rig = try BusRig(options: [])
    let (client, launcher) = (try rig.client(), try JSONClient(rig))
    let id = try launch(launcher)
    let session = BusObject.session(id).path
    try client.signal("InterfacesAdded", of: BusObject.root) { $0[0].text == session ? () : nil }
    try client.signal("Event", of: session) { $0[0].text == "started" ? () : nil }
    #expect(try client.property(session, .session, "Target") == "/bin/sh")
    #expect(try client.property(session, .session, "State") == "running")
    for (member, arguments) in [("OpenViewfinder", []), ("OpenSound", []), ("NextSound", [.uint64(0)])]
      as [(String, [BusValue])]
    {
      let failure = #expect(throws: BusFailure.self) {
        _ = try client.bus.call(
          BusClient.service,
          session,
          BusInterface.session.rawValue,
          member,
          arguments
        )
      }
      #expect(failure?.name == "org.freedesktop.DBus.Error.AccessDenied", "\(member)")
    }
    try client.call(session, .session, "Terminate")
    let result = try client.signal("Ended", of: session)[0].json()
    #expect(result["session"] == .string(id) && result["outcome"]?["by"] == "user", "\(result)")
    try client.signal("InterfacesRemoved", of: BusObject.root) { $0[0].text == session ? () : nil }
    #expect(try client.call(session, .session, "GetResult")[0].json() == result)
    // The launching client receives the result, too.
    let own = try launcher.call("session/result", ["session": .string(id)])
    #expect(own["session"] == .string(id) && own["outcome"]?["by"] == "user")
  }

  @Test func `the session of a JSON-RPC client ends with its connection`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    var launcher: JSONClient? = try JSONClient(rig)
    let id = try launch(try #require(launcher))
    let session = BusObject.session(id).path
    try client.signal("InterfacesAdded", of: BusObject.root) { $0[0].text == session ? () : nil }
    launcher = nil
    let result = try client.signal("Ended", of: session)[0].json()
    #expect(result["outcome"]?["kind"] == "dismissed", "\(result)")
    try client.signal("InterfacesRemoved", of: BusObject.root) { $0[0].text == session ? () : nil }
  }

  @Test func `a session has one object, which belongs to the D-Bus client that launched it`() throws {
    let rig = try BusRig(options: [])
    let (client, launcher) = (try rig.client(), try JSONClient(rig))
    let own = try rig.launchScript(client)
    let shared = BusObject.session(try launch(launcher)).path
    var added: [String] = []
    try client.signal("InterfacesAdded", of: BusObject.root) { arguments in
      added.append(arguments[0].text ?? "")
      return added.last == shared ? () : nil
    }
    #expect(added == [own, shared])
    // The client has the session of its launch, which has no microphone.
    let failure = client.failure(own, BusInterface.session.rawValue, "OpenSound")
    #expect(failure == "org.darkroom.Host1.Error.NoMicrophone")
    let objects = try client.call(BusObject.root, .objectManager, "GetManagedObjects")
    #expect(objects[0].elements?.count == 2)
  }
}
