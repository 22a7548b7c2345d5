// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives

/// A running `darkroom-host`, which is terminated with this value, and a connection to its JSON-RPC interface.
final class InterfaceSessions {
  /// A request that the server refused, or did not answer in time.
  struct Failure: Error {
    let message: String
  }

  private let program: SpawnedProgram
  private let socket: Descriptor
  private var lastID: Int64 = 0

  /// The timeout for the start of the server, and for a response, in seconds.
  private static let timeout: Int32 = 5

  /// Starts the program, and negotiates the version of the interface.
  init(_ host: String, _ setup: BenchmarkSetup) throws {
    let root = "\(setup.directory)/interface"
    let null = setup.null.rawValue
    program = try SpawnedProgram.start(
      [host, "--root", root, "--photo-library", "none", "--lock-state", "unlocked", "--prewarm", "1"],
      descriptors: [0: null, 1: null, 2: null]
    )
    let path = "\(root)/serve/host"
    for _ in 0..<1000 * Self.timeout where try FileSystem.status(path) == nil {
      MonotonicClock.sleep(milliseconds: 1)
    }
    socket = try LocalSocket.connect(path, seconds: Self.timeout)
    _ = try call("host/hello", ["versions": [1], "client": "darkroom-benchmark"])
  }

  deinit {
    program.send(.terminate)
    _ = try? program.reap()
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
