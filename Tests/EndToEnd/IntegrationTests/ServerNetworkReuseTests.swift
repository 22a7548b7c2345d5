// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of network namespaces that a server reuses for later sessions, and of their records.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ServerNetworkReuseTests {
  /// The observed network namespace of a session.
  private struct NetworkObservation {
    /// The identifier of the network namespace.
    var network: String
    /// The detail of the network layer in the record, or `nil` if there is none.
    var detail: String?
  }

  private static func run(_ home: TestHome) throws -> NetworkObservation {
    try? FileSystem.unlink(home.file("record.json"))
    let result = try home.darkroom(
      "exec",
      ["--app", TestHome.app, "--record", "record.json", "--", "readlink", "/proc/self/ns/net"]
    )
    #expect(result.code == 0, "\(result.errors)")
    let record = try home.json(try #require(try FileSystem.contents(home.file("record.json"))))
    let layers = record["enforcement"]?["layers"]?.elements ?? []
    let layer = layers.first { $0["name"]?.string == "networkNamespace" }
    #expect(layer?["state"]?.string == "enforced", "\(layers)")
    return NetworkObservation(network: result.text, detail: layer?["detail"]?.string)
  }

  @Test(arguments: TestUser.available)
  func `records that a session reuses the network namespace of an earlier one`(user: TestUser) throws {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    var seen: [NetworkObservation] = []
    // The namespaces of an unprivileged user belong to the broker, which restarts when mounts of the machine
    // change.
    while seen.count < 2 || seen.last?.detail == nil {
      try #require(seen.count < 100, "\(seen)")
      seen.append(try Self.run(home))
    }
    let last = seen.removeLast()
    #expect(last.detail == "reused from an exited session, which could not change it")
    #expect(seen.contains { $0.network == last.network }, "\(seen), \(last)")
    #expect(seen.first?.detail == nil)
    try server.stop()
    // A host that runs one session reuses nothing.
    #expect(try Self.run(home).detail == nil)
  }
}
