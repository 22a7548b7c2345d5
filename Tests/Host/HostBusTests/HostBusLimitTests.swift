// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import HostBus

/// Tests of the access to the service and of its limits.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostBusLimitTests {
  private static let manager = "org.darkroom.Host1.Manager"
  private static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0))
  func `refuses callers with another UID`() throws {
    let rig = try BusRig(options: [])
    let command = """
      dbus-send --bus='\(rig.address)' --print-reply --dest=org.darkroom.Host1 /org/darkroom/Host1 \
      org.freedesktop.DBus.Properties.Get string:org.darkroom.Host1.Manager string:Version
      """
    #expect(try rig.shell(command).contains("variant"))
    // A bus accepts only users of passwd(5), such as UID 65534.
    let refused = try rig.shell("! setpriv --reuid=65534 --regid=65534 --clear-groups -- \(command)")
    #expect(refused.contains("org.freedesktop.DBus.Error.AccessDenied"), "\(refused)")
    #expect(!refused.contains("variant"))
    // The refused caller does not affect others.
    #expect(try rig.client().property(BusObject.root, .manager, "LockState").string != nil)
  }

  @Test func `refuses callers that are confined in another way than the service`() throws {
    let rig = try BusRig(options: [])
    let command = """
      dbus-send --bus='\(rig.address)' --print-reply --dest=org.darkroom.Host1 /org/darkroom/Host1 \
      org.freedesktop.DBus.Properties.Get string:org.darkroom.Host1.Manager string:Version
      """
    var restrictions = [("--no-new-privs", "no_new_privs")]
    if CurrentProcess.effectiveUserID == 0 {
      restrictions.append(("--bounding-set=-net_raw", "the capability bounding set"))
    } else {
      print("SKIP: HostBusLimitTests: only root can reduce the bounding set")
    }
    for (option, name) in restrictions {
      let refused = try rig.shell("! setpriv \(option) \(command)")
      #expect(refused.contains("org.freedesktop.DBus.Error.AccessDenied"), "\(refused)")
      #expect(refused.contains("because \(name) differs from that of the server"), "\(refused)")
    }
    #expect(try rig.shell(command).contains("variant"))
  }

  @Test func `a client can have 256 unanswered calls, and other clients are not affected`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    let session = try rig.launchScript(client)
    for _ in 0..<256 {
      try client.bus.post(BusClient.service, session, "org.darkroom.Host1.Session", "GetResult", [])
    }
    #expect(client.failure(session, "org.darkroom.Host1.Session", "GetResult") == Self.limitsExceeded)
    // Calls that are answered at once do not count.
    #expect(try client.property(session, .session, "State") == "running")
    let other = try rig.client()
    try other.call(session, .session, "Terminate")
    #expect(try other.call(session, .session, "GetResult")[0].json()["session"] != nil)
  }

  @Test func `64 clients can use the service at the same time`() throws {
    let rig = try BusRig(options: [])
    func use(_ client: BusClient) -> String? {
      client.failure(BusObject.root, Self.manager, "Prewarm", .string("org.example.none"), .dictionary([]))
    }
    var clients: [BusClient] = []
    for _ in 0..<64 {
      clients.append(try rig.client())
      #expect(use(try #require(clients.last)) != Self.limitsExceeded)
    }
    let last = try rig.client()
    #expect(use(last) == Self.limitsExceeded)
    // Properties need no client of the host.
    #expect(try last.property(BusObject.root, .manager, "Policies").elements?.contains("capture") == true)
    clients.removeLast()
    let isAccepted = TestTimeout.waitUntil { use(last) != Self.limitsExceeded }
    #expect(isAccepted)
  }

  @Test func `refuses large and deep arguments`() throws {
    let rig = try BusRig(options: [])
    let client = try rig.client()
    let large = BusValue.string(String(repeating: "x", count: 1 << 20))
    #expect(client.failure(BusObject.root, Self.manager, "Validate", large) == Self.limitsExceeded)
    var deep = BusValue.bool(true)
    for _ in 0..<20 { deep = .variant(deep) }
    let options = BusValue.dictionary([("camera", deep)])
    #expect(
      client.failure(BusObject.root, Self.manager, "Prewarm", .string("a.b"), options) == Self.limitsExceeded
    )
    #expect(try client.property(BusObject.root, .manager, "Version").string?.isEmpty == false)
  }

  @Test func `a second server reports that another process owns the name`() throws {
    let rig = try BusRig(options: [])
    let line = try rig.runSecondServer()
    #expect(line?.hasPrefix("exit ") == true && line != "exit 0")
    #expect(rig.serverErrors.contains("another process owns the bus name org.darkroom.Host1"))
    #expect(try rig.client().property(BusObject.root, .manager, "StateDirectory") == .string(rig.root))
  }

  @Test func `the bus starts the server with the first call`() throws {
    let rig = try BusRig()
    try rig.writeActivationFile()
    let client = try rig.client()
    let daemon = "org.freedesktop.DBus"
    _ = try client.bus.call(daemon, "/org/freedesktop/DBus", daemon, "ReloadConfig", [])
    #expect(try client.property(BusObject.root, .manager, "StateDirectory") == .string(rig.root))
    // The server is a child of the bus, so the test stops it by its PID.
    let process = try client.bus.call(
      daemon,
      "/org/freedesktop/DBus",
      daemon,
      "GetConnectionUnixProcessID",
      [.string(BusClient.service)]
    )
    guard case .uint32(let pid)? = process.first else {
      Issue.record("\(process)")
      return
    }
    kill(pid_t(pid), SIGTERM)
    let isStopped = try TestTimeout.waitUntil { try !BusRig.ownsName(client.bus) }
    #expect(isStopped)
  }
}
