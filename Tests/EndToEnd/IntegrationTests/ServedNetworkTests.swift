// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of network namespaces that a server reuses for later sessions, and of their records.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ServedNetworkTests {
  /// The observed network namespace of a session.
  private struct Seen {
    /// The identifier of the network namespace.
    var network: String
    /// The detail of the network layer in the record, or `nil` if there is none.
    var detail: String?
  }

  private static func run(_ place: Place) throws -> Seen {
    try? FileSystem.unlink(place.file("record.json"))
    let result = try place.darkroom(
      "exec",
      ["--app", Place.app, "--record", "record.json", "--", "readlink", "/proc/self/ns/net"]
    )
    #expect(result.code == 0, "\(result.errors)")
    let record = try place.json(try #require(try FileSystem.contents(place.file("record.json"))))
    let layers = record["enforcement"]?["layers"]?.elements ?? []
    let layer = layers.first { $0["name"]?.string == "networkNamespace" }
    #expect(layer?["state"]?.string == "enforced", "\(layers)")
    return Seen(network: result.text, detail: layer?["detail"]?.string)
  }

  @Test(arguments: Person.available)
  func `a session that has the network of one before it says so`(person: Person) throws {
    let place = try Place(person)
    let server = try RunningServer(place)
    var seen: [Seen] = []
    // The namespaces of an unprivileged user belong to the broker, which restarts when mounts of the machine
    // change.
    while seen.count < 2 || seen.last?.detail == nil {
      try #require(seen.count < 100, "\(seen)")
      seen.append(try Self.run(place))
    }
    let last = seen.removeLast()
    #expect(last.detail == "one that an ended session had, which could change nothing in it")
    #expect(seen.contains { $0.network == last.network }, "\(seen), \(last)")
    #expect(seen.first?.detail == nil)
    try server.stop()
    // A host that runs one session reuses nothing.
    #expect(try Self.run(place).detail == nil)
  }
}
