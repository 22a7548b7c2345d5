// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom doctor` with real obstacles.
@Suite(.timeLimit(.minutes(20)), .waiting) struct DoctorTests {
  /// Runs the doctor from a shell that first changes the environment.
  private func doctor(
    _ home: TestHome,
    after preparation: String = "",
    wrapped: [String] = [],
    options: String = ""
  ) throws -> (code: Int32, json: JSONValue) {
    let run =
      "\(preparation) exec '\(home.programs.darkroom)' doctor --json --root '\(home.root)' \(options)"
    let result = try home.start(wrapped + ["/bin/bash", "-c", run]).end()
    let json = try? home.json(result.output)
    return (result.code, try #require(json, "exit code \(result.code): \(result.errors)"))
  }

  private func policy(_ name: String, _ report: JSONValue) throws -> JSONValue {
    try #require(report["policies"]?.elements?.first { $0["policy"]?.string == name })
  }

  /// Checks that every layer is enforced, except for the control group, which is often unavailable.
  private func expectComplete(_ name: String, _ report: JSONValue) throws {
    let policy = try policy(name, report)
    for layer in policy["layers"]?.elements ?? [] where layer["name"]?.string != "controlGroup" {
      #expect(layer["state"]?.string == "enforced", "\(name): \(layer)")
    }
    #expect(policy["status"]?.string == (hasControlGroup(policy) ? "full" : "degraded"))
  }

  /// Returns whether the sessions of a policy have a control group.
  private func hasControlGroup(_ policy: JSONValue) -> Bool {
    let layer = policy["layers"]?.elements?.first { $0["name"]?.string == "controlGroup" }
    return layer?["state"]?.string == "enforced"
  }

  private func missingLayers(_ policy: JSONValue) -> [(name: String, detail: String, commands: [String])] {
    (policy["layers"]?.elements ?? []).filter { $0["state"]?.string == "missing" }.map { layer in
      let fixes = layer["fixes"]?.elements ?? []
      let commands = fixes.flatMap { $0["commands"]?.elements ?? [] }.compactMap(\.string)
      return (layer["name"]?.string ?? "", layer["detail"]?.string ?? "", commands)
    }
  }

  @Test(arguments: TestUser.available)
  func `enforces every layer of the shipped policies on this machine`(user: TestUser) throws {
    let report = try doctor(TestHome(user))
    #expect(report.code == (hasControlGroup(try policy("base", report.json)) ? 0 : 69), "\(report.json)")
    for name in ["base", "capture", "strict"] { try expectComplete(name, report.json) }
    // A policy for static programs permits no program of the system.
    #expect(
      try policy("strict", report.json)["remarks"]?.elements?.first?.string?.contains("/usr/bin/true") == true
    )
    #expect(try policy("base", report.json)["remarks"]?.elements == [])
  }

  @Test(arguments: TestUser.available)
  func `sandboxes the root of a user namespace like an unprivileged user`(user: TestUser)
    throws
  {
    let unshare = ["/usr/bin/unshare", "--user", "--map-root-user"]
    let report = try doctor(TestHome(user), wrapped: unshare)
    for name in ["base", "capture", "strict"] { try expectComplete(name, report.json) }
    let userFinding = report.json["machine"]?.elements?.first { $0["name"]?.string == "user" }
    #expect(userFinding?["state"]?.string == "advice")
    #expect(userFinding?["detail"]?.string?.contains("without spare UIDs") == true)
  }

  @Test(arguments: TestUser.available)
  func `names the sysctl if user namespaces are disabled`(user: TestUser) throws {
    let report = try doctor(
      TestHome(user),
      after: "echo 0 >/proc/sys/user/max_user_namespaces || exit 99;",
      wrapped: ["/usr/bin/unshare", "--user", "--map-root-user"]
    )
    #expect(report.code == 71)
    let missing = missingLayers(try policy("capture", report.json))
    #expect(missing.map(\.name) == ["userNamespace"])
    #expect(missing.first?.detail.contains("user.max_user_namespaces is 0") == true)
    #expect(missing.first?.commands.contains { $0.hasPrefix("sysctl -w user.max_user_namespaces=") } == true)
  }

  @Test(arguments: TestUser.available)
  func `names the layer if one kind of namespace is disabled`(user: TestUser) throws {
    let report = try doctor(
      TestHome(user),
      after: "echo 0 >/proc/sys/user/max_net_namespaces || exit 99;",
      wrapped: ["/usr/bin/unshare", "--user", "--map-root-user"]
    )
    #expect(report.code == 71)
    let missing = missingLayers(try policy("capture", report.json))
    #expect(missing.map(\.name) == ["networkNamespace"], "\(missing)")
    #expect(missing.first?.commands.contains { $0.hasPrefix("sysctl -w user.max_net_namespaces=") } == true)
  }

  @Test(arguments: TestUser.available)
  func `names the limit key that a hard limit is too low for, and reports other policies as complete`(
    user: TestUser
  )
    throws
  {
    let report = try doctor(TestHome(user), after: "ulimit -n 256 || exit 99;")
    #expect(report.code == 71)
    for name in ["base", "capture"] {
      let missing = missingLayers(try policy(name, report.json))
      #expect(missing.map(\.name) == ["limits"], "\(name)")
      #expect(missing.first?.commands == ["ulimit -H -n 1024"])
    }
    try expectComplete("strict", report.json)
  }

  @Test(arguments: TestUser.available)
  func `a launch fails with the limit key if a hard limit is too low`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let run =
      "ulimit -n 256; exec '\(home.programs.darkroom)' exec --root '\(home.root)' --app \(TestHome.app) -- true"
    let result = try home.start(["/bin/bash", "-c", run]).end()
    #expect(result.code == 126, "\(result.errors)")
    #expect(
      result.errors.contains("limit 'descriptors' is 1024")
        && result.errors.contains("the hard limit of this process is 256")
    )
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `reports a seccomp filter of the host as the reason`(user: TestUser) throws {
    let filter = SeccompWrapper.commandPrefix(answering: 1, to: [.clone3, .unshare])
    let report = try doctor(TestHome(user), wrapped: filter)
    #expect(report.code == 71)
    let missing = missingLayers(try policy("base", report.json))
    #expect(missing.contains { $0.detail.contains("a seccomp filter") }, "\(missing)")
    #expect(missing.contains { $0.commands.contains { $0.contains("seccomp=unconfined") } })
  }

  @Test(.enabled(if: TestPrograms.has("python3")), arguments: TestUser.available)
  func `reports a seccomp supervisor of the host, which prevents reports of refused calls`(user: TestUser)
    throws
  {
    let report = try doctor(TestHome(user), wrapped: SeccompWrapper.supervisorPrefix)
    #expect(report.code == 69)
    let layers = try policy("base", report.json)["layers"]?.elements ?? []
    let filter = try #require(layers.first { $0["name"]?.string == "seccomp" })
    #expect(filter["state"]?.string == "degraded")
    #expect(filter["detail"]?.string?.contains("another supervisor") == true, "\(filter)")
    #expect(filter["fixes"]?.elements?.isEmpty == false)
  }

  @Test(.enabled(if: TestUser.hasRoot))
  func `reports a masked file below proc`() throws {
    let home = try TestHome(.regular)
    let report = try doctor(
      home,
      wrapped: [
        "/usr/bin/unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc",
        "/bin/sh", "-c",
        "mount --bind /dev/null /proc/interrupts || exit 99; exec \"$@\"", "sh",
      ]
    )
    #expect(report.code == 71)
    let missing = missingLayers(try policy("base", report.json))
    #expect(missing.contains { $0.detail.contains("/proc/interrupts") }, "\(missing)")
    #expect(missing.contains { $0.commands.contains { $0.contains("systempaths=unconfined") } })
  }

  @Test(arguments: TestUser.available)
  func `every command fails with a fix if proc is not mounted`(user: TestUser) throws {
    let home = try TestHome(user)
    let darkroom = "mount -t tmpfs none /proc && exec '\(home.programs.darkroom)' --version"
    let result = try home.start(
      ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", darkroom]
    ).end()
    #expect(result.code == 71 && result.output.isEmpty)
    #expect(
      result.errors.contains("because /proc is not mounted; run 'mount -t proc proc /proc'"),
      "\(result.errors)"
    )
  }

  @Test(arguments: TestUser.available)
  func `checks a policy file like a shipped policy`(user: TestUser) throws {
    let home = try TestHome(user)
    let text =
      "{\"name\": \"own\", \"extends\": \"base\", \"readOnly\": [\"/usr/share/darkroom-none\", \"/usr/lib/darkroom-none\"]}"
    let path = try home.write("own.json", text)
    let report = try doctor(home, options: "--policy '\(path)'")
    #expect(report.code == 71)
    try expectComplete("base", report.json)
    let missing = missingLayers(try policy(path, report.json))
    #expect(missing.map(\.name) == ["root", "root"], "both paths are named: \(missing)")
  }

  @Test func `exits with 66 if a policy does not exist`() throws {
    let home = try TestHome(TestUser.available[0])
    #expect(try home.darkroom("doctor", ["--policy", "bse"]).code == 66)
  }
}
