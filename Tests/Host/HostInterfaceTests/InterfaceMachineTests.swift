// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the examination of the machine over the socket of `darkroom-host`.
@Suite(.timeLimit(.minutes(20))) struct InterfaceMachineTests {
  /// Returns the kind of the error of a request.
  private static func kind(
    _ client: InterfaceClient,
    _ method: String,
    _ params: JSONValue
  ) -> JSONValue? {
    let refusal = #expect(throws: InterfaceClient.Refusal.self) { _ = try client.call(method, params) }
    return refusal?.data?["kind"]
  }

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
    #expect(Self.kind(client, "host/diagnose", ["policies": ["capture", "none"]]) == "policy")
    #expect(Self.kind(client, "host/diagnose", ["policies": ["./mine.json"]]) == "argument")
    #expect(Self.kind(client, "host/diagnose", ["policies": [.string(host.file("none.json"))]]) == "policy")
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
}
