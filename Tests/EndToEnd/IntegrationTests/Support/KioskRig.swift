// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// The camera kiosk in a headless compositor, with a private session bus and a host.
final class KioskRig {
  /// Whether the kiosk can start.
  static let canStart: Bool = {
    guard TestPrograms.has("sway", "swaymsg", "grim", "wtype", "dbus-daemon", "python3") else { return false }
    let check = "import gi; gi.require_version('Gtk', '4.0'); from gi.repository import Gtk"
    // The home must exist until the program has ended.
    let home = try? TestHome(.regular)
    let result = try? home?.start(["/usr/bin/python3", "-I", "-c", check]).end()
    if withExtendedLifetime(home, { result?.code == 0 }) { return true }
    print(
      "SKIP: the camera kiosk: Python cannot use GTK 4; .ci/setup --tests installs python3-gi and gir1.2-gtk-4.0"
    )
    return false
  }()

  /// Returns the configuration of a bus that starts no services, such as the accessibility bus.
  private static func busConfiguration(_ address: String) -> String {
    """
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """
  }

  let home: TestHome
  let compositor: Compositor
  private let bus: Command
  private var host: Command?
  private var kiosk: Command?
  private var kioskOutput = ""

  /// Starts the compositor and the bus, and installs the app of a bundle.
  ///
  /// The user is that of the tests: dbus-daemon(1) refuses a UID without an entry in passwd(5).
  init(width: Int, height: Int, bundle: (TestHome) throws -> String) throws {
    let compositor = try Compositor(width: width, height: height)
    let home = try TestHome(TestUser.hasRoot ? .root : .regular)
    try home.install(try bundle(home))
    let address = "unix:path=\(home.file("bus"))"
    home.variables =
      compositor.variables + [
        "DBUS_SESSION_BUS_ADDRESS=\(address)", "GDK_BACKEND=wayland", "GSK_RENDERER=cairo", "GTK_A11Y=none",
        "GSETTINGS_BACKEND=memory",
      ]
    let configuration = try home.write("bus.conf", Self.busConfiguration(address))
    let busOutput = home.file("\(home.nextOutputName).out")
    let bus = try home.start(
      [
        "/usr/bin/dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile",
        "--print-address",
      ]
    )
    try bus.wait { try FileSystem.contents(busOutput)?.isEmpty == false }
    (self.compositor, self.home, self.bus) = (compositor, home, bus)
  }

  /// Starts the host, waits until it is ready, and unlocks: a settable lock state is locked at first.
  func startHost() throws {
    let errors = home.file("\(home.nextOutputName).err")
    let program = "\(home.programs.directory)/bin/darkroom-host"
    let host = try home.start([program, "--root", home.root, "--dbus", "--lock-state", "settable"])
    try host.wait {
      String(decoding: try FileSystem.contents(errors) ?? [], as: UTF8.self).contains(" serves commands at ")
    }
    self.host = host
    let name = "org.darkroom.Host1"
    let unlocking = try home.start(
      [
        "/usr/bin/busctl", "--user", "set-property", name, "/org/darkroom/Host1", "\(name).Manager",
        "LockState", "s", "unlocked",
      ]
    )
    let result = try unlocking.end()
    try #require(result.code == 0, "busctl: \(result.errors)")
  }

  /// Starts the kiosk.
  func startKiosk(_ extensionID: String, camera: String) throws {
    kioskOutput = home.file("\(home.nextOutputName).out")
    let program = "\(TestPrograms.package)/Plugins/Kiosk/kiosk.py"
    kiosk = try home.start(["/usr/bin/python3", "-BsE", program, extensionID, "--camera", camera, "--log"])
  }

  /// Returns the events that the kiosk has printed.
  func events() throws -> [String] {
    String(decoding: try FileSystem.contents(kioskOutput) ?? [], as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  /// Waits for an event with a prefix, and returns the first one.
  @discardableResult
  func awaitEvent(_ prefix: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    try wait(until: { try events().contains { $0.hasPrefix(prefix) } }, sourceLocation: sourceLocation)
    return try #require(try events().first { $0.hasPrefix(prefix) }, sourceLocation: sourceLocation)
  }

  /// Waits until a session of the kiosk, counted from 1, shows its viewfinder and accepts presses.
  func awaitSession(_ number: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(
      until: {
        let sessions = try events().split(omittingEmptySubsequences: false) { $0.hasPrefix("session ") }
        guard sessions.count > number else { return false }
        return sessions[number].contains("ready") && sessions[number].contains { $0.hasPrefix("viewfinder ") }
      },
      sourceLocation: sourceLocation
    )
  }

  /// Waits until a condition is met. Fails if the kiosk exits first.
  func wait(until condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let kiosk = try #require(kiosk, sourceLocation: sourceLocation)
    try kiosk.wait(until: condition, sourceLocation: sourceLocation)
  }

  /// Types a key on a virtual keyboard. A new keyboard needs time to get the focus.
  func type(_ key: String) throws { try compositor.type("-s", "500", "-k", key, "-s", "300") }

  /// Stops the kiosk, and returns when the host has dismissed its session.
  func stopKiosk() throws {
    kiosk?.signal(SIGTERM)
    _ = try kiosk?.end()
    try home.eventually { try home.names("sessions").isEmpty }
  }

  /// Writes a screenshot as a PNG file.
  func writeScreenshot(_ path: String) throws {
    let result = try home.start(["/usr/bin/grim", path]).end()
    try #require(result.code == 0, "grim: \(result.errors)")
  }

  /// Stops the host and the bus, and checks that nothing is left.
  func stop() throws {
    host?.signal(SIGTERM)
    let result = try #require(try host?.end())
    #expect(result.code == 0, "\(result.errors)")
    bus.signal(SIGTERM)
    _ = try bus.end()
    try home.expectNothingLeft()
  }
}
