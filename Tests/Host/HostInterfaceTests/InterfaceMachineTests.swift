// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the examination and of the lock of the machine over the socket of `darkroom-host`.
@Suite(.timeLimit(.minutes(20))) struct InterfaceMachineTests {
  @Test func `examines the machine, each shipped policy and a policy of the client`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let path = host.file("mine.json")
    try FileSystem.replaceContents(path, with: Array(#"{"name": "mine", "extends": "strict"}"#.utf8))
    let report = try client.call("host/diagnose", ["policies": [.string(path)]])
    let shipped = try #require(try client.call("policy/list")["policies"]?.elements)
    let trials = try #require(report["trials"]?.elements)
    #expect(trials.compactMap { $0["policy"] } == shipped + ["mine"])
    for trial in trials {
      #expect(trial["status"] != "unavailable" && trial["layers"]?.elements?.isEmpty == false, "\(trial)")
    }
    let names = (report["machine"]?.elements ?? []).compactMap { $0["name"]?.string }
    #expect(Set(names).isSuperset(of: ["kernel", "state root", "libraries", "server"]), "\(names)")
    #expect(try client.call("host/diagnose")["trials"]?.elements?.count == shipped.count)
  }

  @Test func `refuses an examination under an unreadable policy`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    #expect(client.refusalKind("host/diagnose", ["policies": ["capture", "none"]]) == "policy")
    #expect(client.refusalKind("host/diagnose", ["policies": ["./mine.json"]]) == "argument")
    #expect(client.refusalKind("host/diagnose", ["policies": [.string(host.file("none.json"))]]) == "policy")
    let refusal = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try client.call("host/diagnose", ["policies": ["capture", "./mine.json"]])
    }
    #expect(refusal?.message.hasPrefix("params.policies[1] must be") == true)
    // A refused request does not count as a running examination.
    #expect(try client.call("host/diagnose")["status"] != nil)
  }

  @Test func `refuses a second examination at the same time, and performs a later one`() throws {
    let client = try InterfaceClient(try RunningHost())
    let requests = (1...2).map { #"{"jsonrpc":"2.0","id":"\#($0)","method":"host/diagnose"}"# + "\n" }
    try client.send(requests.joined())
    var (results, kinds): ([JSONValue], [JSONValue?]) = ([], [])
    for _ in requests {
      let response = try #require(try client.receive())
      if let result = response["result"] {
        try ResultCheck.expect(result, of: "host/diagnose")
        results.append(result)
      } else {
        kinds.append(response["error"]?["data"]?["kind"])
      }
    }
    #expect(results.count == 1 && kinds == ["busy"])
    #expect(try client.call("host/diagnose")["status"] == results.first?["status"])
  }

  @Test func `locks until the user unlocks, ends the session of the lock screen, and reports the sources`()
    throws
  {
    let host = try RunningHost(["--lock-state", "standard"])
    let client = try InterfaceClient(host)
    #expect(try client.call("lock/status")["state"] == "unlocked")
    // The server assumes the locked state until the sources have reported.
    #expect(try TestTimeout.waitUntil { try client.call("lock/get")["state"] == "unlocked" })
    let bundle = try host.makeBundle()
    let installation = try client.call("apps/install", ["bundle": .string(bundle)])
    let target = try #require(installation["app"]?["extensions"]?.elements?.first?["id"])
    let options: JSONValue = ["camera": "pattern:64x48@30", "watchdog": 0, "place": "lockScreen"]
    let session = try client.call("session/launch", ["extension": target, "options": options])
    _ = try client.event("acceptsPresses", accepts: true)
    #expect(try client.call("lock/lock") == [:])
    let result = try client.call("session/result", ["session": session["session"] ?? ""])
    #expect(result["outcome"] == ["kind": "dismissed", "by": "lockChanged"], "\(result)")
    #expect(try TestTimeout.waitUntil { try client.call("lock/get")["state"] == "locked" })
    let locked = try client.call("lock/status")
    #expect(locked["state"] == "locked" && locked["reports"]?.elements?.count == 1)
    let reason = locked["reports"]?.elements?.first?["reason"]?.string
    #expect(reason?.contains("contains 'locked'") == true, "\(locked)")
  }

  @Test(arguments: ["locked", "unlocked", "settable"])
  func `refuses to lock if the sessions of the server follow another lock state`(state: String) throws {
    let client = try InterfaceClient(try RunningHost(["--lock-state", state]))
    let before = try client.call("lock/get")
    let refusal = #expect(throws: InterfaceClient.Refusal.self) { _ = try client.call("lock/lock") }
    #expect(refusal?.data?["kind"] == "argument")
    #expect(refusal?.message.contains("--lock-state standard") == true)
    #expect(try client.call("lock/status")["state"] == "unlocked")
    #expect(try client.call("lock/get") == before)
  }
}
