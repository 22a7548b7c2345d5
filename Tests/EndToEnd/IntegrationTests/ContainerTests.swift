// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sessions whose host is in a container with the default settings of a runtime.
@Suite(.timeLimit(.minutes(20)), .enabled(if: ContainerRig.isAvailable), .waiting)
struct ContainerTests {
  private static let options = ["--policy", "container"]

  /// Returns the states of the layers in a session record.
  private func states(_ record: JSONValue) -> [String: String] {
    var states: [String: String] = [:]
    for layer in record["enforcement"]?["layers"]?.elements ?? [] {
      states[layer["name"]?.string ?? ""] = layer["state"]?.string
    }
    return states
  }

  @Test(arguments: ContainerRig.all)
  func `a session of the policy container runs, reports its missing layers, and is migrated and erased`(
    rig: ContainerRig
  ) throws {
    let home = try rig.home()
    let script = """
      echo kept >"$DARKROOM_SESSION_DIR/kept"; echo erased >"$TMPDIR/erased"
      (sleep 300 &); id -u; exit 5
      """
    let session = try home.exec(["sh", "-c", script], options: Self.options)
    #expect(session.command.code == 5, "\(session.command.errors)")
    #expect(session.command.errors.contains("this session runs restricted"), "\(session.command.errors)")
    // The session has the UID of its host.
    let user = rig.user == .root ? 0 : TestUser.regularUserID
    #expect(session.command.text == "\(user)\n", "\(session.command.errors)")
    #expect(session.files == ["kept"])
    #expect(session.record["erased"]?.elements?.first?["files"] == 1)
    #expect(session.record["enforcement"]?["status"]?.string == "partial")
    let states = states(session.record)
    for name in ["userNamespace", "mountNamespace", "pidNamespace", "networkNamespace", "root"] {
      #expect(states[name] == "missing", "\(states)")
    }
    for name in ["seccomp", "landlock", "noNewPrivileges", "capabilities", "descriptors"] {
      #expect(states[name] == "enforced", "\(states)")
    }
    let denials = session.record["enforcement"]?["denials"]?.elements ?? []
    let accesses = Set(denials.compactMap { $0["access"]?.string })
    #expect(accesses == ["tcp", "udp", "otherSockets", "groupContainers"])
    // Two independent filters or rulesets deny each access.
    #expect(denials.allSatisfy { ($0["checks"]?.elements?.count ?? 0) >= 2 }, "\(denials)")
    // The kernel does not apply the limit on processes to root.
    #expect(states["limits"] == (rig.user == .root ? "degraded" : "enforced"), "\(states)")
    // Docker's profile refuses keyctl(2) to the host and the extension.
    #expect(states["identity"] == (rig.runtime == .docker ? "degraded" : "enforced"), "\(states)")
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: ContainerRig.all)
  func `a session in a container reaches no network, no group container and no host process`(
    rig: ContainerRig
  ) throws {
    let home = try rig.home()
    try home.expectRestrictedSession(options: Self.options)
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: ContainerRig.all)
  func `the attempts succeed outside a session (control)`(rig: ContainerRig) throws {
    let home = try rig.home()
    try FileSystem.makeDirectories("\(home.root)/groups")
    for path in [home.root, "\(home.root)/groups"] { try home.giveOwnership(path) }
    let script = """
      import os, socket
      socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
      os.listdir("\(home.root)/groups"), os.kill(os.getppid(), 0)
      """
    let result = try home.start(["/usr/bin/python3", "-c", script]).end()
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test(arguments: [ContainerRig.Runtime.docker], TestUser.allCases)
  func `attempts succeed only where a restricted session lacks a layer`(
    runtime: ContainerRig.Runtime,
    user: TestUser
  ) throws {
    let home = try ContainerRig(runtime: runtime, user: user, hardening: .standard).home()
    let result = try home.darkroom("attack", ["--json"] + Self.options)
    let battery = try home.json(result.output)
    func names(_ verdict: String) -> Set<String> {
      let rows = battery["results"]?.elements ?? []
      return Set(rows.filter { $0["verdict"]?.string == verdict }.compactMap { $0["attempt"]?.string })
    }
    // The kernel does not apply the limit on processes to root.
    #expect(names("gotThrough") == (user == .root ? ["processes"] : []), "\(result.errors)")
    #expect(battery["isRestricted"]?.bool == true)
    #expect(names("blocked").count > 450)
    #expect(names("blocked").isSuperset(of: ["read", "connect-tcp", "connect-abstract", "mount"]))
    #expect(names("unprotected").isSuperset(of: ["namespace-network", "host-name", "stat"]))
  }

  @Test(arguments: ContainerRig.all)
  func `the default policy launches nothing in a container, and the error names the policy container`(
    rig: ContainerRig
  ) throws {
    let home = try rig.home()
    let session = try home.exec(["true"])
    #expect(session.command.code == 126)
    #expect(session.command.errors.contains("the policy 'container'"), "\(session.command.errors)")
    #expect(session.record["enforcement"]?["layers"]?.elements?.isEmpty != false)
  }

  @Test(arguments: ContainerRig.all)
  func `Snapshot takes a picture in a container`(rig: ContainerRig) throws {
    let home = try rig.home()
    let bundle = home.file("Bundle")
    try runShell(
      """
      cp -r '\(home.programs.snapshotBundle)' '\(bundle)'
      sed -i 's/"policy": "capture"/"policy": "container"/' '\(bundle)'/Extensions/*/extension.json
      chmod -R u+rwX,go+rX '\(bundle)'
      """
    )
    try home.install(bundle)
    let session = try home.run(
      "snapshot",
      script: "wait 300ms\npress primary\nwait 1s\ndismiss\n",
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["photo-1.jpg"], "\(session.command.errors)")
    #expect(try session.bytes("photo-1.jpg").starts(with: [0xFF, 0xD8]))
  }

  @Test(arguments: ContainerRig.all)
  func `the doctor names what the container lacks and the settings that grant it`(rig: ContainerRig) throws {
    let home = try rig.home()
    let result = try home.darkroom("doctor", ["--json"])
    #expect(result.code == 71, "\(result.errors)")
    let report = try home.json(result.output)
    let container = try #require(report["machine"]?.elements?.first { $0["name"]?.string == "container" })
    #expect(container["state"]?.string == "advice")
    let detail = container["detail"]?.string ?? ""
    #expect(detail.contains("a seccomp filter") && detail.contains("hidden parts of /proc"), "\(detail)")
    #expect(detail.contains("CAP_SYS_ADMIN") == (rig.user == .root), "\(detail)")
    let fixes = "\(container["fixes"] ?? .null)"
    for words in ["systempaths=unconfined", "procMount: Unmasked", "--policy container"] {
      #expect(fixes.contains(words), "\(fixes)")
    }
    let policies = report["policies"]?.elements ?? []
    func status(_ name: String) -> String? {
      policies.first { $0["policy"]?.string == name }?["status"]?.string
    }
    #expect(status("container") == "degraded")
    let remarks = "\(policies.first { $0["policy"]?.string == "container" }?["remarks"] ?? .null)"
    for access in ["udp", "otherSockets", "groupContainers"] {
      #expect(remarks.contains("a single mechanism denies \(access)"), "\(remarks)")
    }
    #expect(status("capture") == "unavailable" && status("strict") == "unavailable")
  }

  @Test func `with the settings that the doctor suggests, sessions of the default policy have namespaces`()
    throws
  {
    let rig = ContainerRig(runtime: .docker, user: .regular, hardening: .standard)
    let home = try rig.home(["--unconfined", "--unmasked"])
    let session = try home.exec(["sh", "-c", "echo kept >/session/kept"])
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["kept"])
    let states = states(session.record)
    #expect(states["userNamespace"] == "enforced" && states["networkNamespace"] == "enforced", "\(states)")
  }
}
