// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the program `darkroom-host` over its socket, with extensions in the real sandbox.
@Suite(.timeLimit(.minutes(20))) struct InterfaceServerTests {
  /// The options of a launch without a watchdog, because a busy machine can delay a launch by seconds.
  private static let options: JSONValue = ["camera": "pattern:64x48@30", "watchdog": 0]

  @Test func `inputs take effect in the order of their requests, without a wait for the responses`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let parameters: JSONValue = ["app": "org.darkroom.sample", "program": "sleep", "arguments": ["600"]]
    let session = try #require(try client.call("session/launchProgram", parameters)["session"]?.string)
    // The log contains the presses, because the program does not receive them.
    let expected = (0..<200).map { $0 % 3 == 0 ? "primary" : "secondary" }
    let requests = expected.enumerated().map { index, button in
      #"{"jsonrpc":"2.0","id":"\#(index)","method":"session/press","params":"#
        + #"{"session":"\#(session)","button":"\#(button)","phase":"began"}}"# + "\n"
    }
    try client.send(requests.joined())
    _ = try client.call("session/dismiss", ["session": .string(session)])
    let output = try client.call("session/result", ["session": .string(session)])["output"]?.string ?? ""
    let logged = output.split(separator: "\n").filter { $0.contains("was not delivered") }
    let buttons = logged.map { $0.contains("primary") ? "primary" : "secondary" }
    #expect(buttons.count > 10 && buttons == Array(expected.suffix(buttons.count)))
  }

  @Test func `a client installs, launches, sees, presses and receives the picture`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let installation = try client.call("apps/install", ["bundle": .string(try host.makeBundle())])
    #expect(installation["replaced"] == false)
    let app = try #require(installation["app"]?["id"])
    let target = try #require(installation["app"]?["extensions"]?.elements?.first?["id"])
    let watch = try client.call("content/watch", ["app": app])
    let launch = try client.call("session/launch", ["extension": target, "options": Self.options])
    let session = try #require(launch["session"])
    let started = try client.event("started")
    #expect(started["sandbox"]?["layers"]?.elements?.isEmpty == false)
    _ = try client.event("acceptsPresses", accepts: true)
    #expect(try client.call("session/list")["sessions"]?.elements?.first?["session"] == session)
    // Before the press, whose picture is awaited.
    _ = try client.call("session/pointer", ["session": session, "x": 640, "y": 1.5, "contact": 2])
    _ = try client.call("session/press", ["session": session, "button": "primary"])
    try awaitFile("capture-1.pgm", of: session.string ?? "", host)
    _ = try client.call("session/dismiss", ["session": session])
    let ended = try client.event("ended")
    #expect(ended["outcome"] == ["kind": "dismissed", "by": "user"])

    let result = try client.call("session/result", ["session": session])
    // The example receives no touches.
    #expect(result["output"]?.string?.contains("has not subscribed to pointer events") == true)
    let files = try #require(result["files"]?.elements).compactMap { $0["path"]?.string }
    #expect(Set(files) == ["frames.csv", "capture-1.pgm"])
    let content = try #require(result["content"]?.string)
    #expect(try FileSystem.names(in: content).sorted() == ["capture-1.pgm", "frames.csv"])
    let added = try client.notification { $0["params"]?["change"]?["added"] != nil }
    #expect(added["params"]?["subscription"] == watch["subscription"])
    #expect(added["params"]?["change"]?["added"]?["session"] == session)
    _ = try client.call("content/unwatch", ["subscription": watch["subscription"] ?? 0])
    #expect(try client.call("session/list")["sessions"] == [])
    let arguments: JSONValue = ["app": app, "session": session]
    #expect(try client.call("content/list", ["app": app])["deliveries"]?.elements?.count == 1)
    _ = try client.call("content/invalidate", arguments)
    #expect(try client.call("content/list", ["app": app])["deliveries"] == [])
    _ = try client.call("apps/uninstall", ["app": app])
    #expect(try client.call("apps/list")["apps"] == [])
  }

  private func awaitFile(_ name: String, of session: String, _ host: RunningHost) throws {
    let path = "\(host.state)/sessions/\(session)/content/\(name)"
    let deadline = TestTimeout.deadline
    while try FileSystem.status(path) == nil {
      try #require(MonotonicClock.now < deadline, "\(name) was not written")
      usleep(10_000)
    }
  }

  @Test func `the viewfinder is shared memory that the client can read and not change`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let session = try launch(client, try host.makeBundle("Snapshot", program: "bin/Snapshot"))
    let memory = try client.call("viewfinder/open", ["session": session])
    #expect(memory["opened"] == true && memory["width"] == 64 && memory["height"] == 48)
    let file = try #require(client.descriptors.first)
    #expect(client.descriptors.count == 1)
    let size = Int(try #require(memory["bytes"]?.integer))
    #expect(try file.descriptor.status().size == Int64(size))
    #expect(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0) == MAP_FAILED)
    let mapping = try Mapping(file.descriptor, length: size, .read)
    let luma = try #require(memory["planes"]?.elements?.first)
    var last: Int64 = 0
    for _ in 0..<3 {
      let frame = try client.call("viewfinder/next", ["session": session])
      let sequence = try #require(frame["sequence"]?.integer)
      #expect(frame["more"] == true && sequence > last)
      last = sequence
      let offset = Int(try #require(frame["offset"]?.integer)) + Int(luma["offset"]?.integer ?? 0)
      let stride = Int(try #require(luma["stride"]?.integer))
      let row = mapping.bytes[offset..<offset + stride]
      #expect(Set(row).count > 1)
    }
    _ = try client.call("viewfinder/release", ["session": session])
    let second = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try client.call("viewfinder/open", ["session": session])
    }
    #expect(second?.data?["kind"] == "busy")
    let other = try InterfaceClient(host)
    let refusal = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try other.call("viewfinder/open", ["session": session])
    }
    #expect(refusal?.data?["kind"] == "notFound")
    // Another client of the user can dismiss the session.
    _ = try other.call("session/dismiss", ["session": session])
    while try client.call("viewfinder/next", ["session": session])["more"] == true {}
  }

  /// Installs the extension, launches it, and returns the ID of the session.
  private func launch(_ client: InterfaceClient, _ bundle: String) throws -> JSONValue {
    let installation = try client.call("apps/install", ["bundle": .string(bundle)])
    let target = try #require(installation["app"]?["extensions"]?.elements?.first?["id"])
    let launch = try client.call("session/launch", ["extension": target, "options": Self.options])
    return try #require(launch["session"])
  }

  @Test func `a session is dismissed and migrated when its client disconnects`() throws {
    let host = try RunningHost()
    let observer = try InterfaceClient(host)
    var client: InterfaceClient? = try InterfaceClient(host)
    let session = try launch(try #require(client), try host.makeBundle())
    _ = try client?.event("acceptsPresses", accepts: true)
    _ = try observer.call("content/watch", ["app": "org.darkroom.sample"])
    client = nil
    let added = try observer.notification { $0["params"]?["change"]?["added"] != nil }
    #expect(added["params"]?["change"]?["added"]?["session"] == session)
    // The content is delivered before the session ends.
    let deadline = TestTimeout.deadline
    while try observer.call("session/list")["sessions"] != [] {
      try #require(MonotonicClock.now < deadline, "the session has not ended")
      usleep(10_000)
    }
  }

  @Test func `a program runs under a policy, and its refused calls are reported`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let script = "cat /session/../etc/shadow; exec 3<>/dev/tcp/127.0.0.1/1 || echo refused >/session/note"
    let launch = try client.call(
      "session/launchProgram",
      ["app": "org.darkroom.sample", "program": "/bin/bash", "arguments": ["-c", .string(script)]]
    )
    let session = try #require(launch["session"])
    let refusal = try client.event("refused")
    #expect(refusal["refusal"]?["call"] == "socket")
    let result = try client.call("session/result", ["session": session])
    #expect(result["outcome"]?["kind"] == "completed")
    #expect(client.hasReceived("ended"))
    #expect(result["files"]?.elements?.first?["path"] == "note")
    // The app of a program need not be installed.
    let content = try client.call("content/list", ["app": "org.darkroom.sample"])
    #expect(content["deliveries"]?.elements?.first?["session"] == session)
    let unknown = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try client.call("content/list", ["app": "org.darkroom.other"])
    }
    #expect(unknown?.data?["kind"] == "notInstalled")
  }

  @Test func `the context and the permissions of an app can be changed`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    _ = try client.call("apps/install", ["bundle": .string(try host.makeBundle())])
    let app: JSONValue = "org.darkroom.sample"
    #expect(try client.call("context/get", ["app": app])["context"] == nil)
    _ = try client.call("context/set", ["app": app, "context": #"{"flash": true}"#])
    #expect(try client.call("context/get", ["app": app])["context"] == #"{"flash":true}"#)
    _ = try client.call("context/clear", ["app": app])
    #expect(try client.call("context/get", ["app": app])["context"] == nil)
    _ = try client.call(
      "permissions/set",
      ["app": app, "resource": "camera", "decision": ["decision": "denied"]]
    )
    let stored = try client.call("permissions/get", ["app": app])
    #expect(stored["permissions"] == [["resource": "camera", "decision": ["decision": "denied"]]])
    _ = try client.call("permissions/reset", ["app": app])
    #expect(try client.call("permissions/get", ["app": app])["permissions"] == [])
  }

  @Test func `policies are listed, explained, proved and compared`() throws {
    let client = try InterfaceClient(try RunningHost())
    #expect(try client.call("policy/list")["policies"]?.elements?.contains("strict") == true)
    #expect(try client.call("policy/explain", ["policy": "capture"])["lines"]?.elements?.isEmpty == false)
    #expect(try client.call("policy/verify", ["policy": "strict"])["proved"] == true)
    let weaker = try client.call("policy/difference", ["old": "strict", "new": "capture"])
    #expect(weaker["weaker"] == true)
    let relative = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try client.call("policy/explain", ["policy": "./p.json"])
    }
    #expect(relative?.data?["kind"] == "argument")
    #expect(try client.call("rpc.discover") == InterfaceSchemas.document)
  }

  @Test func `clients set the lock state only if the server permits it`() throws {
    let fixed = try InterfaceClient(try RunningHost())
    #expect(try fixed.call("lock/get") == ["state": "unlocked", "settable": false])
    let refusal = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try fixed.call("lock/set", ["state": "locked"])
    }
    #expect(refusal?.message.contains("--lock-state settable") == true)
    let settable = try InterfaceClient(try RunningHost(["--lock-state", "settable"]))
    #expect(try settable.call("lock/get") == ["state": "locked", "settable": true])
    _ = try settable.call("lock/set", ["state": "unlocked"])
    #expect(try settable.call("lock/get")["state"] == "unlocked")
  }
}

/// Tests of what a client can do wrong.
@Suite(.timeLimit(.minutes(20))) struct InterfaceMisuseTests {
  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":1,"method":"apps/list"}"#, Int64(-32600)),
    (#"{"jsonrpc":"2.0","id":1,"method":"host/hello","params":{"versions":[2]}}"#, -32000),
    (#"{"jsonrpc":"2.0","id":1,"method":"host/hello","params":{}}"#, -32602), ("nonsense", -32700),
  ])
  func `ends a connection that does not start with a valid greeting`(line: String, code: Int64) throws {
    let client = try InterfaceClient(try RunningHost(), greets: false)
    try client.send("\(line)\n")
    #expect(try client.receive()?["error"]?["code"] == .integer(code))
    #expect(try client.receive() == nil)
  }

  @Test func `ends a connection at a second greeting`() throws {
    let client = try InterfaceClient(try RunningHost())
    let refusal = #expect(throws: InterfaceClient.Refusal.self) {
      _ = try client.call("host/hello", ["versions": [1]])
    }
    #expect(refusal?.code == -32600)
    #expect(try client.receive() == nil)
  }

  @Test func `ends a connection at an oversize line, and serves others`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    try? client.send(String(repeating: "a", count: (1 << 20) + 2))
    #expect(try client.receive()?["error"]?["code"] == -32700)
    #expect(try client.receive() == nil)
    #expect(try InterfaceClient(host).call("apps/list")["apps"] == [])
  }

  @Test func `disconnects a client that reads nothing, and serves others`() throws {
    let host = try RunningHost()
    let client = try InterfaceClient(host)
    let request = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"# + "\n"
    // The responses have about 50 kB each. The server drops a client for which more than 8 MiB wait.
    for _ in 0..<100 { try? client.send(String(repeating: request, count: 10)) }
    #expect(try InterfaceClient(host).call("apps/list")["apps"] == [])
  }

  @Test func `names the faults of requests, and continues the connection`() throws {
    let client = try InterfaceClient(try RunningHost(["--warm", "0"]))
    func kind(_ method: String, _ params: JSONValue) throws -> JSONValue? {
      let refusal = #expect(throws: InterfaceClient.Refusal.self) { _ = try client.call(method, params) }
      return refusal?.data?["kind"] ?? refusal.map { .integer($0.code) }
    }
    let session: JSONValue = "00000000-0000-4000-8000-000000000000"
    #expect(try kind("apps/find", ["app": "org.example.none"]) == "notInstalled")
    #expect(try kind("apps/install", ["bundle": "relative"]) == "argument")
    #expect(try kind("apps/install", ["bundle": "/nowhere"]) == "bundle")
    #expect(try kind("session/launch", ["extension": "org.example.none"]) == "notInstalled")
    #expect(try kind("session/press", ["session": session, "button": "primary"]) == "notFound")
    #expect(try kind("session/pointer", ["session": session, "x": 1, "y": 1]) == "notFound")
    let phase: JSONValue = ["session": session, "x": 1, "y": 1, "phase": "pressed"]
    #expect(try kind("session/pointer", phase) == -32602)
    #expect(try kind("policy/explain", ["policy": "none"]) == "policy")
    #expect(try kind("host/prewarm", ["extension": "e"]) == "argument")
    #expect(try kind("apps/find", [:]) == -32602)
    #expect(try kind("nothing", [:]) == -32601)
    #expect(
      try kind("session/launchProgram", ["app": "a.b", "program": "/nowhere"]) == "program"
    )
    #expect(try client.call("apps/list")["apps"] == [])
  }

  @Test func `mutated requests are answered, or end only their own connection`() throws {
    let host = try RunningHost()
    var random = SeededGenerator(seed: 46)
    let requests = try InterfaceSchemas.exampleRequests()
    for _ in 0..<600 {
      let client = try InterfaceClient(host)
      var bytes = random.pick(requests)
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
      let end = #"{"jsonrpc":"2.0","id":"end","method":"policy/list"}"#
      try? client.send(String(decoding: bytes, as: UTF8.self) + "\n\(end)\n")
      while let message = try client.receive() {
        if message["method"] != nil { continue }
        let code = message["error"]?["code"]?.integer
        #expect(message["result"] != nil || [-32700, -32600, -32601, -32602, -32000].contains(code))
        if message["id"] == "end" { break }
      }
    }
    #expect(try InterfaceClient(host).call("apps/list")["apps"] == [])
  }

  /// Changes, removes, repeats or inserts bytes.
  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let index = Int.random(in: bytes.indices, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(index..<min(bytes.count, index + 9))
    case 2: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 20)], at: index)
    case 3:
      bytes.insert(
        contentsOf: Array(random.pick(["{", "[", "]", "}", "null", "1e400", "-1", "\"", "\\u0000"]).utf8),
        at: index
      )
    default: bytes.removeLast(bytes.count - index)
    }
  }

  @Test func `refuses a second server of a state directory, and replaces the socket of a killed one`() throws
  {
    var host: RunningHost? = try RunningHost()
    let state = try #require(host?.state)
    let directory = FileSystem.directoryName(try CurrentProcess.executablePath())
    try runShell(
      """
      set +e
      message=$('\(directory)/darkroom-host' --root '\(state)' 2>&1); code=$?
      test $code -eq 75 && echo "$message" | grep -q 'already served by process'
      """
    )
    let socket = try #require(host?.socket)
    try runShell("cp -a '\(state)' '\(state)'.copy && test -S '\(socket)'")
    host = nil
  }

  @Test func `names the place of an invalid argument, and has a help of its own`() throws {
    let program = "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/darkroom-host"
    try runShell(
      """
      set +e
      message=$('\(program)' --lock-state settable --prewarm 4 2>&1); code=$?
      test $code -eq 64 || exit 1
      echo "$message" | grep -q "^darkroom-host: unknown option '--prewarm' (argument 3)" || exit 1
      '\(program)' --help | grep -q '^Usage: darkroom-host ' || exit 1
      '\(program)' --version | grep -qE '^darkroom-host [0-9.]+$'
      """
    )
  }

  /// The sessions of commands are in the same process, and must not end with it.
  @Test func `waits for descriptors that clients have exhausted, and continues to serve`() throws {
    let directory = FileSystem.directoryName(try CurrentProcess.executablePath())
    let scratch = try ScratchDirectory()
    try runShell(
      """
      exec /usr/bin/python3 - '\(directory)/darkroom-host' '\(scratch.path)/state' <<'END'
      import os, socket, subprocess, sys, time
      limit = "--nofile=64:64"
      server = subprocess.Popen(["prlimit", limit, sys.argv[1], "--root", sys.argv[2], "--photo-library", "none", "--warm", "0"],
                                stdin=subprocess.DEVNULL)
      place = sys.argv[2] + "/serve/host"
      while not os.path.exists(place):
          assert server.poll() is None
          time.sleep(0.02)

      def connect():
          client = socket.socket(socket.AF_UNIX)
          client.connect(place)
          return client

      try:
          clients = [connect() for _ in range(60)]
          while len(os.listdir(f"/proc/{server.pid}/fd")) < 64:
              assert server.poll() is None
              time.sleep(0.02)
          time.sleep(0.5)
          for client in clients:
              client.close()
          last = connect()
          last.sendall(b'{"jsonrpc":"2.0","id":1,"method":"host/hello","params":{"versions":[1]}}\\n')
          assert b'"result"' in last.recv(1000)
      finally:
          server.terminate()
      sys.exit(server.wait())
      END
      """
    )
  }

  /// A confined program must not gain privileges by the server.
  @Test func `refuses a client with other restrictions than the server`() throws {
    let host = try RunningHost()
    try runShell(
      """
      cat >'\(host.file("client.py"))' <<'END'
      import socket, sys
      client = socket.socket(socket.AF_UNIX)
      client.connect(sys.argv[1])
      client.settimeout(60)
      client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"host/hello","params":{"versions":[1]}}\\n')
      print(client.makefile().readline())
      END
      client="/usr/bin/python3 \(host.file("client.py")) \(host.socket)"
      $client | grep -q '"result"'
      setpriv --no-new-privs $client >'\(host.file("answer"))'
      grep -q 'because no_new_privs differs' '\(host.file("answer"))'
      grep -q '"kind":"refused"' '\(host.file("answer"))'
      """
    )
    guard geteuid() == 0 else {
      print("SKIP: InterfaceMisuseTests: only root can reduce the bounding set")
      return
    }
    try runShell(
      """
      setpriv --bounding-set=-net_raw /usr/bin/python3 '\(host.file("client.py"))' '\(host.socket)' \
        | grep -q 'because the capability bounding set differs'
      """
    )
  }

  @Test func `another user cannot connect`() throws {
    guard geteuid() == 0 else {
      print("SKIP: InterfaceMisuseTests: only root can start a client of another user")
      return
    }
    let host = try RunningHost()
    // Without the protection of the directory, the server itself refuses the client: the stream ends.
    try runShell(
      "chmod 755 '\(host.file(""))' '\(host.state)' '\(host.state)/serve' && chmod 777 '\(host.socket)'"
    )
    try runShell(
      """
      setpriv --reuid 65534 --regid 65534 --clear-groups /usr/bin/python3 - '\(host.socket)' <<'END'
      import socket, sys
      client = socket.socket(socket.AF_UNIX)
      client.connect(sys.argv[1])
      client.settimeout(60)
      try:
          client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"host/hello","params":{"versions":[1]}}\\n')
          answer = client.recv(100)
      except (BrokenPipeError, ConnectionResetError):
          answer = b""
      sys.exit(0 if answer == b"" else 1)
      END
      """
    )
  }
}
