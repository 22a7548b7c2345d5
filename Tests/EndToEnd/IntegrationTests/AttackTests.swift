// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom attack`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct AttackTests {
  private struct BatteryReport {
    var code: Int32
    var json: JSONValue
    var rows: [JSONValue] { json["results"]?.elements ?? [] }
    func row(_ name: String) throws -> JSONValue {
      try #require(rows.first { $0["attempt"]?.string == name }, "there is no row \(name)")
    }
    func names(_ verdict: String) -> [String] {
      rows.filter { $0["verdict"]?.string == verdict }.compactMap { $0["attempt"]?.string }
    }
  }

  private func attack(_ home: TestHome, _ arguments: String...) throws -> BatteryReport {
    let result = try home.darkroom("attack", ["--json"] + arguments)
    let json = try #require(try? home.json(result.output), "exit code \(result.code): \(result.errors)")
    try expectNothingLeft(home)
    return BatteryReport(code: result.code, json: json)
  }

  /// Checks that no decoy directory and no process of the attack is left.
  private func expectNothingLeft(_ home: TestHome) throws {
    let names = try FileSystem.names(in: home.directory)
    #expect(names.filter { $0.hasPrefix("darkroom-attack-") } == [])
    #expect(try home.processes() == [])
  }

  @Test(arguments: TestUser.available, ["base", "capture", "strict"])
  func `a shipped policy blocks every attempt of the attack battery`(user: TestUser, policy: String) throws {
    let battery = try attack(try TestHome(user), "--policy", policy)
    #expect(battery.code == 0)
    #expect(battery.names("gotThrough") == [])
    #expect(battery.rows.count > 150)
    #expect(battery.json["blocked"]?.integer.map { $0 > 150 } == true)
    // Each blocked attempt names the layer that blocked it.
    for row in battery.rows where row["verdict"]?.string == "blocked" {
      #expect(row["blockedBy"]?["layers"]?.elements?.isEmpty == false, "\(row)")
    }
    let mount = try battery.row("mount")
    #expect(mount["blockedBy"]?["evidence"]?.string == "report")
    #expect(mount["blockedBy"]?["calls"]?.elements?.first?.string == "mount")
    #expect(try battery.row("call-9999")["blockedBy"]?["evidence"]?.string == "experiment")
    #expect(try battery.row("read")["blockedBy"]?["layers"]?.elements?.first?.string == "root")
    #expect(try battery.row("kill-init")["blockedBy"]?["layers"]?.elements?.first?.string != "root")
  }

  @Test(.enabled(if: TestUser.hasRoot, "only root can choose the groups of another user"))
  func `no attempt succeeds because of the supplementary groups of the user`() throws {
    let home = try TestHome(.regular)
    let id = TestUser.regularUserID
    // No user has these groups.
    home.containerPrefix = [
      "/usr/bin/setpriv", "--reuid=\(id)", "--regid=\(id)", "--groups=\(id + 1),\(id + 2)", "--",
    ]
    let battery = try attack(home, "--policy", "capture")
    #expect(battery.code == 0)
    #expect(battery.names("gotThrough") == [])
    let groups = try battery.row("other-groups")
    #expect(groups["verdict"]?.string == "blocked", "\(groups)")
  }

  @Test(arguments: TestUser.available)
  func `harmless attempts succeed outside the sandbox (control)`(user: TestUser) throws {
    let battery = try attack(try TestHome(user), "--prove")
    let proofs = battery.rows.filter { $0["outside"] != nil }
    #expect(proofs.count > 20)
    // Outside the sandbox, the machine itself can refuse a few attempts of an unprivileged user.
    let real = proofs.filter { $0["outside"]?.string == "gotThrough" }.compactMap { $0["attempt"]?.string }
    #expect(
      Set(real).isSuperset(of: ["socket", "connect-tcp", "connect-abstract", "read", "namespace-network"])
    )
    #expect(proofs.filter { $0["outside"]?.string == "blocked" }.count <= 2, "\(proofs)")
  }

  @Test(arguments: TestUser.available)
  func `names the attempts that a weak policy permits, and exits with 70`(user: TestUser) throws {
    let home = try TestHome(user)
    let text = #"{ "name": "weak", "extends": "base", "syscalls": { "allow": ["shmget"] } }"#
    let policy = try home.write("weak.json", text)
    let battery = try attack(home, "--policy", policy)
    #expect(battery.code == 70)
    #expect(battery.names("gotThrough").contains("shmget"))
    #expect(battery.names("gotThrough").count < 10, "\(battery.names("gotThrough"))")
  }

  @Test(
    .enabled(if: TestUser.hasRoot, "only root can make a directory that policies can show"),
    arguments: TestUser.available
  )
  func `refuses a policy that exposes the state root with the containers of other apps`(user: TestUser) throws
  {
    let home = try TestHome(user)
    // No policy can expose /tmp.
    let shown = "/opt/darkroom-weak-\(Randomness.hexadecimal(bytes: 6))"
    try FileSystem.makeDirectories(shown, mode: 0o755)
    defer { try? FileSystem.removeTree(shown) }
    try home.giveOwnership(shown)
    let text = #"{ "name": "weak", "extends": "base", "readOnly": ["\#(shown)"] }"#
    let policy = try home.write("weak.json", text)
    for root in ["\(shown)/state", shown] {
      let arguments = ["--app", TestHome.app, "--policy", policy, "--", "true"]
      let result = try home.start([home.programs.darkroom, "exec", "--root", root] + arguments).end()
      #expect(result.code == 126, "\(result.errors)")
      #expect(result.errors.contains("the state root with the containers of all apps"), "\(result.errors)")
    }
  }

  @Test func `finishes the attack battery although probes hang, flood their output or crash`() throws {
    let home = try TestHome(TestUser.available[0])
    let script = """
      #!/bin/sh
      case $1 in
      --list) for name in hangs floods crashes refuses quits; do printf '%s\\tfiles\\t\\tit %s\\tlimits\\n' $name $name; done ;;
      hangs) sleep 1000 & sleep 1000 ;;
      floods) while :; do echo flood flood flood flood; done ;;
      crashes) kill -SEGV $$ ;;
      refuses) echo EROFS; exit 10 ;;
      *) exit 11 ;;
      esac
      """
    let probe = try home.write("probe.sh", script, mode: 0o755)
    let battery = try attack(home, "--probes", probe, "--policy", "base", "--strict")
    #expect(battery.code == 69)
    #expect(
      battery.rows.compactMap { $0["attempt"]?.string } == ["hangs", "floods", "crashes", "refuses", "quits"]
    )
    for name in ["hangs", "floods"] {
      #expect(try battery.row(name)["blockedBy"]?["evidence"]?.string == "deadline")
    }
    #expect(battery.names("untried") == ["crashes", "quits"])
    #expect(try battery.row("refuses")["blockedBy"]?["layers"]?.elements?.first?.string == "root")
  }

  @Test func `prints a table of attempts with verdict and layer, and a summary line`() throws {
    let home = try TestHome(TestUser.available[0])
    let result = try home.darkroom(
      "attack",
      ["--class", "network", "--only", "socket", "--only", "connect-tcp"]
    )
    #expect(result.code == 0, "\(result.errors)")
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("ATTEMPT") == true)
    #expect(lines.contains { $0.hasPrefix("socket ") && $0.contains("blocked") && $0.contains("seccomp") })
    #expect(lines.last == "policy capture: 2 attempts, 2 blocked, 0 got through, 0 not possible here")
  }

  @Test func `lists the attempts, and accepts each of their classes as an option`() throws {
    let home = try TestHome(TestUser.available[0])
    let result = try home.darkroom("attack", ["--list", "--json"])
    let attempts = try home.json(result.output)["attempts"]?.elements ?? []
    #expect(attempts.count > 150)
    for name in Set(attempts.compactMap { $0["class"]?.string }) {
      let listed = try home.darkroom("attack", ["--list", "--class", name])
      #expect(listed.code == 0 && listed.text.contains(name), "\(listed.errors)")
    }
  }

  @Test func `rejects unknown attempts, probes, policies and directories before any attempt`() throws {
    let home = try TestHome(TestUser.available[0])
    let unknown = try home.darkroom("attack", ["--only", "sockt"])
    #expect(unknown.code == 64 && unknown.errors.contains("socket"))
    let none = try home.darkroom("attack", ["--probes", "/usr/bin/true"])
    #expect(none.code == 66 && none.errors.contains("--probes"))
    for file in ["/no/such/probe", "/usr"] {
      let unusable = try home.darkroom("attack", ["--probes", file])
      #expect(unusable.code == 66 && unusable.errors.contains("\(file) cannot"), "\(unusable.errors)")
    }
    #expect(try home.darkroom("attack", ["--policy", "bse"]).code == 66)
    let nothing = try home.darkroom("attack", ["--class", "network", "--only", "read"])
    #expect(nothing.code == 64 && nothing.errors.contains("--class"), "\(nothing.errors)")
    let nowhere = try home.darkroom("attack", ["--bait", "/no/such/place"])
    #expect(nowhere.code == 73 && nowhere.errors.contains("--bait DIR") && !nowhere.errors.contains("--root"))
  }

  @Test func `removes the decoys and all processes if the battery is interrupted`() throws {
    let home = try TestHome(TestUser.available[0])
    let script =
      "#!/bin/sh\n[ $1 = --list ] && printf 'waits\\tfiles\\t\\twaits\\tlimits\\n' && exit\nsleep 3; exit 10\n"
    let probe = try home.write("probe.sh", script, mode: 0o755)
    let command = try home.startDarkroom("attack", ["--probes", probe, "--policy", "base"])
    try command.wait {
      try FileSystem.names(in: home.directory).contains { $0.hasPrefix("darkroom-attack-") }
    }
    command.signal(SIGINT)
    #expect(try command.end().code == 75)
    try expectNothingLeft(home)
  }
}
