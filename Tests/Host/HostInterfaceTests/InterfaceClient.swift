// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A running `darkroom-host` with a state directory of its own.
final class RunningHost {
  private let scratch: ScratchDirectory
  private let process: InteractiveProcess
  /// The path of the state directory.
  var state: String { "\(scratch.path)/state" }
  /// The path of the socket.
  var socket: String { "\(state)/serve/host" }

  /// Starts the program, and waits until it serves.
  init(_ options: [String] = []) throws {
    scratch = try ScratchDirectory()
    let directory = FileSystem.directoryName(try CurrentProcess.executablePath())
    let photos = options.contains("--photo-library") ? [] : ["--photo-library", "none"]
    let fixed = ["--root", "\(scratch.path)/state"] + photos
    let lock = options.contains("--lock-state") ? [] : ["--lock-state", "unlocked"]
    // A shell merges the standard error into the standard output.
    process = try InteractiveProcess(
      ["/bin/sh", "-c", #"exec "$0" "$@" 2>&1"#, "\(directory)/darkroom-host"] + fixed + lock + options,
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
    )
    let line = try #require(process.readLine())
    try #require(line.hasSuffix(", and programs at \(socket)"), "\(line)")
  }

  /// Returns the path of a file next to the state directory.
  func file(_ name: String) -> String { "\(scratch.path)/\(name)" }

  /// Creates a bundle with an example extension, whose program has a path in its directory. `members` are
  /// further members of the app's manifest, as JSON text that starts with a comma. Returns the path.
  func makeBundle(
    _ name: String = "FrameLogger",
    program: String = "FrameLogger",
    members: String = ""
  ) throws -> String {
    let directory = FileSystem.directoryName(try CurrentProcess.executablePath())
    let bundle = file("bundle")
    let place = "\(bundle)/Extensions/\(name)"
    try runShell(
      """
      mkdir -p '\(place)'
      cp '\(PackageDirectory.path)/Plugins/\(name)/extension.json' '\(place)/'
      install -D -m 0755 '\(directory)/\(name)' '\(place)/\(program)'
      cat >'\(bundle)/app.json' <<'END'
      {"id": "org.darkroom.sample", "name": "Sample", "usageDescriptions": {"camera": "The tests take pictures."}\(members)}
      END
      """
    )
    return bundle
  }
}

/// A client of `darkroom-host` that sends lines and checks each response against the description.
final class InterfaceClient {
  /// Keeps the server running.
  private let host: RunningHost
  private let socket: Descriptor
  private var received: [UInt8] = []
  private var lastID: Int64 = 0
  /// The descriptors that have arrived.
  private(set) var descriptors: [HeldDescriptor] = []
  /// The notifications that have arrived, and were not taken.
  private var notifications: [JSONValue] = []

  /// An error response.
  struct Refusal: Error {
    let code: Int64
    let message: String
    let data: JSONValue?
  }

  /// Connects, and negotiates the version.
  init(_ host: RunningHost, greets: Bool = true) throws {
    self.host = host
    socket = try LocalSocket.connect(host.socket, seconds: 60)
    if greets { _ = try call("host/hello", ["versions": [1, 99], "client": "test"]) }
  }

  /// Sends a request that the server refuses, and returns the kind of the error.
  func refusalKind(_ method: String, _ params: JSONValue) -> JSONValue? {
    let refusal = #expect(throws: Refusal.self) { _ = try call(method, params) }
    return refusal?.data?["kind"]
  }

  /// Sends text.
  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends bytes. A closed connection is an error, and not a signal.
  private func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      if let count = try StreamSocket.send(rest, toNumber: socket.rawValue) {
        rest.removeFirst(count)
        continue
      }
      let found = try Poller.wait([(socket.rawValue, .writable)], until: TestTimeout.deadline)
      try #require(!found[0].isEmpty, "the server does not read")
    }
  }

  /// Returns the next message, or `nil` at the end of the stream.
  func receive() throws -> JSONValue? {
    while true {
      if let end = received.firstIndex(of: 10) {
        let line = Array(received[..<end])
        received.removeFirst(end + 1)
        return try JSONNode.parse(line).value
      }
      switch try PacketSocket.receive(limit: 1 << 16, from: socket) {
      case .packet(let packet):
        received += packet.bytes
        descriptors += packet.descriptors
      case .end: return nil
      case .tooLarge, .nothing:
        Issue.record("no message arrived in time")
        return nil
      }
    }
  }

  /// Sends a request, and returns its result.
  func call(_ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
    lastID += 1
    let request: JSONValue = [
      "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": params,
    ]
    try send(request.bytes() + [10])
    while let message = try receive() {
      guard message["id"] == .integer(lastID) else {
        notifications.append(message)
        continue
      }
      if let error = message["error"] {
        throw Refusal(
          code: error["code"]?.integer ?? 0,
          message: error["message"]?.string ?? "",
          data: error["data"]
        )
      }
      let result = try #require(message["result"])
      try ResultCheck.expect(result, of: method)
      return result
    }
    throw Refusal(code: 0, message: "the connection ended", data: nil)
  }

  /// Waits for a notification that `accept` accepts, and returns it.
  func notification(_ accept: (JSONValue) -> Bool) throws -> JSONValue {
    while true {
      if let index = notifications.firstIndex(where: accept) { return notifications.remove(at: index) }
      notifications.append(try #require(try receive()))
    }
  }

  /// Whether an event of a kind has arrived, and was not taken.
  func hasReceived(_ kind: String) -> Bool {
    notifications.contains { $0["params"]?["event"]?["kind"]?.string == kind }
  }

  /// Waits for an event of a kind.
  func event(_ kind: String, accepts: Bool? = nil) throws -> JSONValue {
    let found = try notification { message in
      let event = message["params"]?["event"]
      return message["method"] == "session/event" && event?["kind"]?.string == kind
        && (accepts == nil || event?["accepts"]?.bool == accepts)
    }
    return try #require(found["params"]?["event"])
  }
}

/// Checks results against the description of the interface.
enum ResultCheck {
  /// Records an issue if a result does not match the schema of its method.
  static func expect(_ result: JSONValue, of method: String) throws {
    let document = InterfaceSchemas.document
    let methods = try #require(document["methods"]?.elements)
    let found = try #require(methods.first { $0["name"]?.string == method }, "\(method)")
    let schema = try #require(found["result"]?["schema"])
    let fault = InterfaceSchemas.fault(in: result, schema)
    #expect(fault == nil, "\(method): \(fault ?? "")\n\(result.text())")
  }
}
