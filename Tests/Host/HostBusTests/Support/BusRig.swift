// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// A private message bus, on which `darkroom-host --dbus` can run with a temporary state directory.
final class BusRig {
  /// The ID of the app in the bundles.
  static let app = "org.darkroom.sample"

  /// The D-Bus address of the bus.
  let address: String
  private let scratch: ScratchDirectory
  private let bus: InteractiveProcess
  private var server: InteractiveProcess?

  /// Starts a bus that accepts all users. Without a server, the bus starts one on demand.
  init() throws {
    scratch = try ScratchDirectory()
    address = "unix:path=\(scratch.path)/bus"
    // The session bus of a desktop has the same limits.
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\(scratch.path)/services</servicedir>
        <policy context="default">
          <allow user="*"/>
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
        <limit name="max_replies_per_connection">50000</limit>
        <limit name="max_connections_per_user">100000</limit>
      </busconfig>
      """
    try FileSystem.replaceContents("\(scratch.path)/bus.conf", with: Array(configuration.utf8))
    try runShell("chmod 0755 '\(scratch.path)' && mkdir '\(scratch.path)/services'")
    bus = try InteractiveProcess(
      [
        "/usr/bin/dbus-daemon", "--config-file=\(scratch.path)/bus.conf", "--nofork", "--nopidfile",
        "--print-address",
      ],
      environment: Self.environment(scratch)
    )
    try #require(bus.readLine()?.hasPrefix("unix:") == true)
  }

  /// Starts a bus with a running server.
  convenience init(options: [String]) throws {
    try self.init()
    try startServer(options: options)
  }

  deinit {
    // The state directory must not be removed while sessions are migrated into it.
    if server != nil { _ = stopServer() }
  }

  /// Returns the environment variables of the bus and its servers.
  private static func environment(_ scratch: ScratchDirectory) -> [String] {
    ["HOME=\(scratch.path)", "PATH=/usr/local/bin:/usr/bin:/bin"]
  }

  /// Returns the path of a file in the directory of the rig.
  func file(_ name: String) -> String { "\(scratch.path)/\(name)" }

  /// The path of the state directory.
  var root: String { file("state") }

  /// The path of the app's content of a session.
  func content(of session: String) -> String {
    "\(root)/apps/\(Self.app)/container/SessionContent/\(session)"
  }

  /// Connects a client.
  func client() throws -> BusClient { try BusClient(self) }

  /// Runs a shell command with the bus as the session bus, and returns its output.
  func shell(_ command: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let output = file("output-\(Randomness.hexadecimal(bytes: 4))")
    try runShell(
      "export DBUS_SESSION_BUS_ADDRESS='\(address)'\n{ \(command)\n} >'\(output)' 2>&1 || { cat '\(output)'; exit 1; }",
      sourceLocation: sourceLocation
    )
    return String(decoding: try FileSystem.contents(output, limit: 1 << 22) ?? [], as: UTF8.self)
  }
}

// MARK: - The server

extension BusRig {
  /// The path of a built program.
  static func program(_ name: String) throws -> String {
    "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/\(name)"
  }

  /// The command line of a server with a state directory. Without another option, it has no photo library.
  private func command(_ root: String, _ options: [String]) throws -> [String] {
    let library = options.contains("--photo-library") ? [] : ["--photo-library", "none"]
    return try [Self.program("darkroom-host"), "--root", root, "--dbus"] + library + options
  }

  /// Starts the server, and waits until it owns the name.
  func startServer(options: [String]) throws {
    let process = try serverProcess(root, options)
    try #require(process.readLine() != nil)
    server = process
    let client = try BusConnection.open(address)
    let isOwned = try TestTimeout.waitUntil { try Self.ownsName(client) }
    try #require(isOwned, "the server did not start: \(serverErrors)")
  }

  /// Starts another server with its own state directory. Returns the line that reports its end.
  func runSecondServer() throws -> String? {
    let process = try serverProcess(file("second"), [])
    try #require(process.readLine() != nil)
    // The shell waits for a line before it stops the server; this server exits by itself.
    let isOver = TestTimeout.waitUntil { serverErrors.contains("bus name") }
    #expect(isOver, "\(serverErrors)")
    process.sendLine("stop")
    return process.readLine()
  }

  /// Starts a shell that runs a server. The server stops with the next line of input, or with the test.
  private func serverProcess(_ root: String, _ options: [String]) throws -> InteractiveProcess {
    let script = """
      exec 2>>"$1"
      shift
      "$@" </dev/null >&2 &
      server=$!
      echo "$server"
      read -r line || :
      kill -TERM "$server" 2>/dev/null || :
      wait "$server"
      echo "exit $?"
      """
    return try InteractiveProcess(
      ["/bin/sh", "-c", script, "sh", file("server.log")] + command(root, options),
      environment: Self.environment(scratch) + ["DBUS_SESSION_BUS_ADDRESS=\(address)"]
    )
  }

  /// Stops the server, and returns the line that reports its exit code.
  func stopServer() -> String? {
    server?.sendLine("stop")
    defer { server = nil }
    return server?.readLine()
  }

  /// The standard error of all servers.
  var serverErrors: String {
    String(decoding: (try? FileSystem.contents(file("server.log"), limit: 1 << 22)) ?? [], as: UTF8.self)
  }

  /// Kills the message bus.
  func killBus() { bus.terminate() }

  /// Returns whether the service is on the bus.
  static func ownsName(_ bus: BusConnection) throws -> Bool {
    let daemon = "org.freedesktop.DBus"
    let values = try bus.call(
      daemon,
      "/org/freedesktop/DBus",
      daemon,
      "NameHasOwner",
      [.string(BusClient.service)]
    )
    return values.first?.bool ?? false
  }

  /// Writes the file with which the bus starts the server on demand.
  func writeActivationFile() throws {
    let shipped = "\(PackageDirectory.path)/Sources/Host/HostBus/Files/org.darkroom.Host1.service"
    let command = try command(root, []).joined(separator: " ")
    // A bus without systemd uses the command of the file.
    try runShell(
      """
      sed -e 's,^Exec=.*,Exec=\(command),' -e '/^SystemdService=/d' '\(shipped)' \\
        >'\(file("services"))/org.darkroom.Host1.service'
      """
    )
  }
}

// MARK: - Apps and sessions

extension BusRig {
  /// Creates a bundle of the sample app with the extension Snapshot, and returns its path.
  func snapshotBundle() throws -> String {
    let bundle = file("Sample")
    let directory = "\(bundle)/Extensions/Snapshot"
    // The section that is removed is half of the program; only a debugger reads it.
    try runShell(
      """
      mkdir -p '\(directory)/bin'
      cp '\(PackageDirectory.path)/Plugins/Snapshot/extension.json' '\(directory)/'
      install -m 0755 '\(try Self.program("Snapshot"))' '\(directory)/bin/'
      strip --remove-section=.swift_ast '\(directory)/bin/Snapshot'
      cat >'\(bundle)/app.json' <<'END'
      {"id": "\(Self.app)", "name": "Sample", "usageDescriptions": {"camera": "The tests take pictures."},
       "controls": [{"id": "\(Self.app).shutter", "title": "Photo", "extension": "\(Self.app).snapshot"}],
       "open": ["true"]}
      END
      """
    )
    return bundle
  }

  /// Creates a bundle of the sample app with the extension Dictaphone, and returns its path.
  func dictaphoneBundle() throws -> String {
    let bundle = file("Sound")
    try runShell(
      """
      mkdir -p '\(bundle)/Extensions'
      cp -R '\(PackageDirectory.path)/Plugins/Dictaphone' '\(bundle)/Extensions/'
      cat >'\(bundle)/app.json' <<'END'
      {"id": "\(Self.app)", "name": "Sample", "usageDescriptions": {"microphone": "The tests listen."}}
      END
      """
    )
    return bundle
  }

  /// Creates a bundle of the sample app with an extension that writes each capture event to the file
  /// `events`, and returns its path.
  func eventsBundle() throws -> String {
    let bundle = file("Events")
    let directory = "\(bundle)/Extensions/Notes"
    // The example Notes answers the host; only its reaction to presses is replaced.
    try runShell(
      #"""
      mkdir -p '\#(directory)'
      cp '\#(PackageDirectory.path)/Plugins/Notes/extension.json' '\#(directory)/'
      sed 's,^ .*capture/event.*$,  *capture/event*) printf "%s\\n" "$line" >>"$session/events" ;;,' \
        '\#(PackageDirectory.path)/Plugins/Notes/notes.sh' >'\#(directory)/notes.sh'
      chmod 0755 '\#(directory)/notes.sh'
      grep -F '"$session/events"' '\#(directory)/notes.sh'
      echo '{"id": "\#(Self.app)", "name": "Sample"}' >'\#(bundle)/app.json'
      """#
    )
    return bundle
  }

  /// Launches a shell script as a program, waits until it has written the file `file`, and returns the path
  /// of the session. Options are added to those of the launch.
  func launchScript(_ client: BusClient, _ options: [(String, BusValue)] = []) throws -> String {
    let reply = try client.call(
      BusObject.root,
      .manager,
      "LaunchProgram",
      .string(Self.app),
      .string("/bin/sh"),
      .strings(["-c", "echo text >/session/file; exec sleep 1000"]),
      .dictionary(options)
    )
    let path = try #require(reply.first?.text)
    let id = try Self.session(path)
    let isWritten = try TestTimeout.waitUntil {
      try FileSystem.status("\(root)/sessions/\(id)/content/file") != nil
    }
    try #require(isWritten, "the program did not write its file")
    return path
  }

  /// Returns the ID of the session with a path.
  static func session(_ path: String) throws -> String {
    guard case .session(let id)? = BusObject(path: path) else {
      Issue.record("\(path) is not the path of a session")
      return ""
    }
    return id
  }
}
