// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// A client of the JSON-RPC interface of a server, which disconnects when its last reference is released.
final class JSONClient {
  /// Keeps the server running.
  private let rig: BusRig
  private let socket: Descriptor
  private var received: [UInt8] = []
  private var lastID: Int64 = 0

  /// Connects to the server of a rig, and negotiates the version.
  init(_ rig: BusRig) throws {
    self.rig = rig
    socket = try LocalSocket.connect("\(rig.root)/serve/host", seconds: Int32(TestTimeout.seconds))
    _ = try call("host/hello", ["versions": [1], "client": "test"])
  }

  /// Sends a request, and returns its result. Notifications are ignored.
  func call(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
    lastID += 1
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": parameters,
    ]
    // The buffer of the socket is larger than the request.
    let bytes = request.bytes() + [10]
    try #require(try StreamSocket.send(bytes[...], toNumber: socket.rawValue) == bytes.count)
    while true {
      let message = try receive()
      if message["id"] == .integer(lastID) { return try #require(message["result"], "\(message)") }
    }
  }

  /// Waits for the next message.
  private func receive() throws -> JSONValue {
    while true {
      if let end = received.firstIndex(of: 10) {
        defer { received.removeFirst(end + 1) }
        return try JSONNode.parse(Array(received[..<end])).value
      }
      guard case .packet(let packet) = try PacketSocket.receive(limit: 1 << 16, from: socket) else {
        throw BusFailure.standard("NoReply", "no message arrived in time")
      }
      received += packet.bytes
    }
  }
}
