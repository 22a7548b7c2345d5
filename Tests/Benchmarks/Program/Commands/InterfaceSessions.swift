// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives

/// A connection to the JSON-RPC interface of a server.
final class InterfaceSessions {
  /// A request that the server refused, or did not answer in time.
  struct Failure: Error {
    let message: String
  }

  private let socket: Descriptor
  private var lastID: Int64 = 0

  /// The timeout for a response, in seconds.
  private static let timeout: Int32 = 5

  /// Connects to a server, and negotiates the version of the interface.
  init(_ server: ServerProgram) throws {
    socket = try LocalSocket.connect(server.socket, seconds: Self.timeout)
    _ = try call("host/hello", ["versions": [1], "client": "darkroom-benchmark"])
  }

  /// Launches a program, and waits until its session has ended and its captures are migrated.
  func run(_ path: String, app: String) throws {
    let parameters: JSONValue = ["app": .string(app), "program": .string(path)]
    let session = try call("session/launchProgram", parameters)["session"]
    _ = try call("session/result", ["session": session ?? .null])
  }

  /// Sends a request, and returns its result. Notifications are ignored.
  private func call(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
    lastID += 1
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": parameters,
    ]
    // The buffer of the socket is larger than a request.
    _ = try StreamSocket.send((request.bytes() + [10])[...], toNumber: socket.rawValue)
    var received: [UInt8] = []
    while true {
      while let end = received.firstIndex(of: 10) {
        let message = try JSONNode.parse(Array(received[..<end])).value
        received.removeFirst(end + 1)
        guard message["id"] == .integer(lastID) else { continue }
        guard let result = message["result"] else { throw Failure(message: "\(method): \(message)") }
        return result
      }
      guard case .packet(let packet) = try PacketSocket.receive(limit: 1 << 16, from: socket) else {
        throw Failure(message: "\(method): no response in \(Self.timeout) seconds")
      }
      received += packet.bytes
    }
  }
}
