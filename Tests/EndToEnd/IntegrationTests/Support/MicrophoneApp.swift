// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// An app whose Python extension attempts operations on the microphone and reports the results.
struct MicrophoneApp {
  /// The ID of the app.
  static let app = "org.example.listener"
  /// The ID of the extension.
  static let id = "\(app).capture"

  /// A Python extension that reports received sound until the microphone ends or is revoked, and attempts
  /// forbidden operations.
  private static let listener = """
    #!/usr/bin/python3 -I
    import errno, json, mmap, os, select, struct, time
    names = os.environ["LISTEN_FDNAMES"].split(":")
    fds = {name: 3 + index for index, name in enumerate(names)}
    log = open("/session/messages.txt", "w")
    pending = b""
    def say(line):
        print(line, flush=True)
    def send(**message):
        os.write(fds["host-out"], (json.dumps({"jsonrpc": "2.0", **message}) + "\\n").encode())
    def receive():
        global pending
        while b"\\n" not in pending:
            data = os.read(fds["host-in"], 65536)
            if not data:
                raise SystemExit(0)
            pending += data
        line, pending = pending.split(b"\\n", 1)
        log.write(line.decode() + "\\n")
        log.flush()
        return json.loads(line)
    def call(number, method, **params):
        send(id=number, method=method, params=params)
        while (message := receive()).get("id") != number or "method" in message:
            pass
        return message
    def answer(method, message):
        say(f"{method}: {message['error']['code'] if 'error' in message else message['result']}")
    def attempt(name, action):
        try:
            action()
            say(f"{name}: succeeded")
        except OSError as error:
            say(f"{name}: {errno.errorcode[error.errno]}")
    def heard():
        return any(memory[4096:]) if memory else False
    start = receive()
    send(id=start["id"], result={"protocolVersion": 1})
    say(f"microphone: {json.dumps(start['params']['microphone'])}")
    say(f"descriptors: {' '.join(name for name in names if name.startswith('sound'))}")
    memory = mmap.mmap(fds["sound"], 0, mmap.MAP_SHARED, mmap.PROT_READ) if "sound" in fds else None
    answer("microphone/start", call(7, "microphone/start", delivery="latest"))
    attempt("device", lambda: os.open("/dev/snd/pcmC0D0c", os.O_RDONLY))
    if memory:
        path = f"/proc/self/fd/{fds['sound']}"
        attempt("write", lambda: os.write(fds["sound"], b"x"))
        attempt("map", lambda: mmap.mmap(fds["sound"], 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE))
        attempt("reopen", lambda: os.write(os.open(path, os.O_RDWR), b"x"))
        attempt("grow", lambda: os.ftruncate(fds["sound"], 1 << 24))
    denied = start["params"]["permissions"]["microphone"] != "authorized"
    if memory and not denied:
        while not heard():
            time.sleep(0.005)
        say("heard")
        while not denied:
            message = receive()
            if message.get("method") == "microphone/ended":
                say(f"ended: {message['params']['reason']}")
                break
            denied = message.get("method") == "permission/changed"
    if memory and denied:
        for _ in range(2000):
            if not heard():
                break
            time.sleep(0.005)
        published = memory[128:136]
        time.sleep(0.3)
        say("quiet" if published == memory[128:136] and not heard() else "still heard")
        answer("again", call(8, "microphone/start", delivery="latest"))
        time.sleep(0.1)
        say("quiet again" if published == memory[128:136] and not heard() else "heard again")
    call(9, "session/dismiss")
    """

  let home: TestHome

  /// Installs the app.
  init(_ user: TestUser, reason: String? = "To try it.") throws {
    home = try TestHome(user)
    let bundle = home.file("Listener")
    let reasons = reason.map { "\"microphone\":\"\($0)\"" } ?? ""
    try FileSystem.makeDirectories("\(bundle)/Extensions/Capture", mode: 0o755)
    try home.write(
      "Listener/app.json",
      "{\"id\":\"\(Self.app)\",\"name\":\"Listener\",\"usageDescriptions\":{\(reasons)}}"
    )
    try home.write(
      "Listener/Extensions/Capture/extension.json",
      "{\"id\":\"\(Self.id)\",\"name\":\"Listener\",\"executable\":\"listen.py\",\"protocol\":\"1\","
        + "\"usageDescriptions\":{\(reasons)}}"
    )
    try home.write("Listener/Extensions/Capture/listen.py", Self.listener + "\n", mode: 0o755)
    try home.install(bundle)
  }

  /// Sets the microphone permission.
  func setPermission(_ state: String) throws {
    let result = try home.darkroom("permission", ["set", Self.app, "microphone", state])
    try #require(result.code == 0, "\(result.errors)")
  }

  /// Starts a session. The extension's output goes to standard error.
  func start(_ microphone: String?) throws -> Command {
    let option = microphone.map { ["--microphone", $0] } ?? []
    let command = [
      home.programs.darkroom, "run", "--root", home.root, "--record", home.file("record.json"),
    ]
    return try home.start(command + option + [Self.id])
  }

  /// Runs a session to its end and returns its output.
  func run(_ microphone: String?) throws -> String {
    let result = try start(microphone).end()
    #expect(result.code == 0, "\(result.errors)")
    return result.errors
  }

  /// Returns all messages from the host to the extension.
  func messages() throws -> String {
    let record = try home.json(try #require(try FileSystem.contents(home.file("record.json"))))
    let id = try #require(record["sessionID"]?.string)
    let path = "\(home.root)/apps/\(Self.app)/container/SessionContent/\(id)/messages.txt"
    return String(decoding: try #require(try FileSystem.contents(path)), as: UTF8.self)
  }
}
