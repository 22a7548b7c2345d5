// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// A private PipeWire server with a session manager and simulated cameras.
struct PipeWireRig {
  /// The app whose extensions use the camera.
  static let app = "org.example.piped"

  /// A Python script that executes a command with descriptor 7. The first argument selects the descriptor: a
  /// connection to the server at a path, `mute` for an unanswered socket, or `file`.
  private static let connectionLauncher = """
    import os, socket, sys
    kind, *words = sys.argv[1:]
    if kind == "file":
        own = os.open("/dev/null", os.O_RDWR)
    elif kind == "mute":
        ends = socket.socketpair()
        own = ends[0].fileno()
        os.set_inheritable(ends[1].fileno(), True)
    else:
        server = socket.socket(socket.AF_UNIX)
        server.connect(kind)
        own = server.fileno()
    os.dup2(own, 7)
    os.execv(words[0], words)
    """

  /// Starts `darkroom` with an inherited connection as descriptor 7.
  static func start(_ kind: String, _ home: TestHome, _ arguments: [String]) throws -> Command {
    try home.start(
      ["/usr/bin/python3", "-I", "-c", Self.connectionLauncher, kind, home.programs.darkroom] + arguments
    )
  }

  /// The test home. Commands that start in it find the server.
  let home: TestHome
  /// The PipeWire server.
  let server: Command
  /// The session manager, which links cameras to their clients.
  private let sessionManager: Command

  /// Starts the server and the session manager.
  init(_ user: TestUser) throws {
    home = try TestHome(user)
    // Restricts the plugins that GStreamer would otherwise scan for each new home.
    let plugins = home.file("plugins")
    try FileSystem.makeDirectories(plugins, mode: 0o755)
    for name in ["coreelements", "videotestsrc", "pipewire"] {
      let file = "libgst\(name).so"
      try FileSystem.makeSymbolicLink("\(plugins)/\(file)", to: "\(try Self.plugins())/\(file)")
    }
    home.variables = [
      "XDG_RUNTIME_DIR=\(home.directory)",
      "GST_PLUGIN_SYSTEM_PATH_1_0=\(plugins)", "GST_REGISTRY_FORK=no",
    ]
    // Only the modules that link nodes, because the others require D-Bus.
    var managerArguments = ["--profile=policy"]
    if Self.hasOldSessionManager {
      managerArguments = []
      home.variables.append("WIREPLUMBER_CONFIG_DIR=\(home.file("manager"))")
      try FileSystem.makeDirectories(home.file("manager/main.lua.d"), mode: 0o755)
      for name in ["wireplumber.conf", "main.lua.d/main.lua"] {
        let bytes = try #require(
          try FileSystem.contents("\(TestPrograms.package)/Tests/Rigs/WirePlumber/\(name)")
        )
        try home.write("manager/\(name)", String(decoding: bytes, as: UTF8.self))
      }
    }
    server = try home.start(["/usr/bin/pipewire"])
    let socket = home.file("pipewire-0")
    try server.wait { (try? FileSystem.status(socket))??.kind == .socket }
    sessionManager = try home.start(["/usr/bin/wireplumber"] + managerArguments)
  }

  /// Whether the session manager is older than WirePlumber 0.5, which introduced profiles.
  private static var hasOldSessionManager: Bool {
    ((try? FileSystem.status("/usr/share/wireplumber/main.lua.d")) ?? nil) != nil
  }

  /// Returns the directory of the GStreamer plugins on Debian.
  private static func plugins() throws -> String {
    let triplets = try FileSystem.names(in: "/usr/lib").filter { $0.hasSuffix("-linux-gnu") }
    let directories = triplets.map { "/usr/lib/\($0)/gstreamer-1.0" }
    return try #require(
      directories.first { (try? FileSystem.status("\($0)/libgstpipewire.so"))??.kind == .regular }
    )
  }

  /// Starts a camera that shows color bars, and waits until it is listed. A camera serves one client
  /// reliably.
  ///
  /// It sleeps for most of each frame interval. A live source that was delayed for a second would catch up at
  /// once, fill all buffers of the stream, and then wait forever for a free one (PipeWire 0.3.65).
  func startCamera(_ name: String, format: String = "I420") throws -> Command {
    let role = "media.class=Video/Source,media.role=Camera"
    let properties = "stream-properties=props,\(role),node.name=\(name),node.description=Bars"
    let camera = try home.start(
      [
        "/usr/bin/gst-launch-1.0", "-q", "videotestsrc", "is-live=true", "!",
        "video/x-raw,format=\(format),width=320,height=240,framerate=15/1", "!", "identity",
        "sleep-time=60000", "!", "pipewiresink", "mode=provide", properties,
      ]
    )
    try camera.wait { try listedCameras().contains { $0["path"]?.string == "pipewire:\(name)" } }
    return camera
  }

  /// Starts a camera with controls, whose brightness is visible in its frames, and waits until it is listed.
  func startAdjustableCamera(_ name: String) throws -> Command {
    let camera = try home.start(["\(home.programs.directory)/bin/darkroom-made-up-camera", name])
    try camera.wait { try listedCameras().contains { $0["path"]?.string == "pipewire:\(name)" } }
    return camera
  }

  /// Returns the values of a camera's controls by name.
  func controls(_ name: String) throws -> [String: Int64] {
    let show = try home.darkroom("camera", ["show", "pipewire:\(name)", "--json"])
    try #require(show.code == 0, "\(show.errors)")
    let controls = try home.json(show.output)["controls"]?.elements ?? []
    return Dictionary(
      controls.compactMap { control in
        control["name"]?.string.flatMap { name in control["value"]?.integer.map { (name, $0) } }
      }
    ) { first, _ in first }
  }

  /// Returns the listed cameras.
  func listedCameras() throws -> [JSONValue] {
    let list = try home.darkroom("camera", ["list", "--json"])
    try #require(list.code == 0, "\(list.errors)")
    return try home.json(list.output)["cameras"]?.elements ?? []
  }

  /// Checks that a 320x240 picture has the yellow, red and blue bars in the right places.
  func expectBars(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let bars = "p{68,40}.r>p{68,40}.b+0.3 && p{250,40}.r>p{250,40}.b+0.3 && p{297,40}.b>p{297,40}.r+0.3"
    let arguments = ["/usr/bin/convert", path, "-format", "%wx%h %[fx:\(bars)]", "info:"]
    let result = try home.start(arguments).end()
    #expect(result.text == "320x240 1", "\(result.text) \(result.errors)", sourceLocation: sourceLocation)
  }

  /// Installs an app with a Python extension and permission to use the camera.
  func install(_ program: String) throws {
    try FileSystem.makeDirectories(home.file("App/Extensions/Capture"), mode: 0o755)
    let reason = #""usageDescriptions": {"camera": "To see."}"#
    try home.write("App/app.json", #"{"id": "\#(Self.app)", "name": "Piped", \#(reason)}"#)
    try home.write(
      "App/Extensions/Capture/extension.json",
      #"{"id": "\#(Self.app).capture", "name": "Capture", "executable": "capture.py", "protocol": "1", \#(reason)}"#
    )
    try home.write("App/Extensions/Capture/capture.py", program, mode: 0o755)
    try home.install(home.file("App"))
    #expect(try home.darkroom("permission", ["set", Self.app, "camera", "authorized"]).code == 0)
  }
}
