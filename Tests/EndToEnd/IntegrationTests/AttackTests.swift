// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom attack`.
@Suite(.timeLimit(.minutes(20)), .waiting) struct AttackTests {
  private struct Battery {
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

  private func attack(_ place: Place, _ words: String...) throws -> Battery {
    let result = try place.darkroom("attack", ["--json"] + words)
    let json = try #require(try? place.json(result.output), "exit code \(result.code): \(result.errors)")
    try expectNothingLeft(place)
    return Battery(code: result.code, json: json)
  }

  /// Checks that no decoy directory and no process of the attack is left.
  private func expectNothingLeft(_ place: Place) throws {
    let names = try FileSystem.names(in: place.directory)
    #expect(names.filter { $0.hasPrefix("darkroom-attack-") } == [])
    #expect(try place.processes() == [])
  }

  @Test(arguments: Person.available, ["base", "capture", "strict"])
  func `nothing gets out of a shipped policy`(person: Person, policy: String) throws {
    let battery = try attack(try Place(person), "--policy", policy)
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

  @Test(arguments: Person.available)
  func `outside, the harmless attempts succeed, so that being blocked means something`(person: Person) throws
  {
    let battery = try attack(try Place(person), "--prove")
    let proofs = battery.rows.filter { $0["outside"] != nil }
    #expect(proofs.count > 20)
    // Outside the sandbox, the machine itself can refuse a few attempts of an unprivileged user.
    let real = proofs.filter { $0["outside"]?.string == "gotThrough" }.compactMap { $0["attempt"]?.string }
    #expect(
      Set(real).isSuperset(of: ["socket", "connect-tcp", "connect-abstract", "read", "namespace-network"])
    )
    #expect(proofs.filter { $0["outside"]?.string == "blocked" }.count <= 2, "\(proofs)")
  }

  @Test(arguments: Person.available)
  func `what a weak policy lets through is named, and the exit code says so`(person: Person) throws {
    let place = try Place(person)
    let text = #"{ "name": "weak", "extends": "base", "syscalls": { "allow": ["shmget"] } }"#
    let policy = try place.write("weak.json", text)
    let battery = try attack(place, "--policy", policy)
    #expect(battery.code == 70)
    #expect(battery.names("gotThrough").contains("shmget"))
    #expect(battery.names("gotThrough").count < 10, "\(battery.names("gotThrough"))")
  }

  @Test(
    .enabled(if: Person.hasRoot, "only root can make a directory that policies can show"),
    arguments: Person.available
  )
  func `no policy shows a place that other apps' containers lie in`(person: Person) throws {
    let place = try Place(person)
    // No policy can expose /tmp.
    let shown = "/opt/darkroom-weak-\(Randomness.hexadecimal(bytes: 6))"
    try FileSystem.makeDirectories(shown, mode: 0o755)
    defer { try? FileSystem.removeTree(shown) }
    try place.give(shown)
    let text = #"{ "name": "weak", "extends": "base", "readOnly": ["\#(shown)"] }"#
    let policy = try place.write("weak.json", text)
    for root in ["\(shown)/state", shown] {
      let words = ["--app", Place.app, "--policy", policy, "--", "true"]
      let result = try place.start([place.programs.darkroom, "exec", "--root", root] + words).end()
      #expect(result.code == 126, "\(result.errors)")
      #expect(result.errors.contains("Darkroom's state"), "\(result.errors)")
    }
  }

  @Test func `a probe that hangs, floods or crashes hangs no battery`() throws {
    let place = try Place(Person.available[0])
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
    let probe = try place.write("probe.sh", script, mode: 0o755)
    let battery = try attack(place, "--probes", probe, "--policy", "base", "--strict")
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

  @Test func `the table says verdict and layer, and ends in the sum`() throws {
    let place = try Place(Person.available[0])
    let result = try place.darkroom(
      "attack",
      ["--class", "network", "--only", "socket", "--only", "connect-tcp"]
    )
    #expect(result.code == 0, "\(result.errors)")
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("ATTEMPT") == true)
    #expect(lines.contains { $0.hasPrefix("socket ") && $0.contains("blocked") && $0.contains("seccomp") })
    #expect(lines.last == "policy capture: 2 attempts, 2 blocked, 0 got through, 0 not to be tried here")
  }

  @Test func `the attempts are listed, each of a class that can be asked for`() throws {
    let place = try Place(Person.available[0])
    let result = try place.darkroom("attack", ["--list", "--json"])
    let attempts = try place.json(result.output)["attempts"]?.elements ?? []
    #expect(attempts.count > 150)
    for name in Set(attempts.compactMap { $0["class"]?.string }) {
      let listed = try place.darkroom("attack", ["--list", "--class", name])
      #expect(listed.code == 0 && listed.text.contains(name), "\(listed.errors)")
    }
  }

  @Test func `what is not there is a mistake of the command line, and nothing is run`() throws {
    let place = try Place(Person.available[0])
    let unknown = try place.darkroom("attack", ["--only", "sockt"])
    #expect(unknown.code == 64 && unknown.errors.contains("socket"))
    let none = try place.darkroom("attack", ["--probes", "/usr/bin/true"])
    #expect(none.code == 66 && none.errors.contains("--probes"))
    for file in ["/no/such/probe", "/usr"] {
      let unusable = try place.darkroom("attack", ["--probes", file])
      #expect(unusable.code == 66 && unusable.errors.contains("\(file) cannot"), "\(unusable.errors)")
    }
    #expect(try place.darkroom("attack", ["--policy", "bse"]).code == 66)
    let nothing = try place.darkroom("attack", ["--class", "network", "--only", "read"])
    #expect(nothing.code == 64 && nothing.errors.contains("--class"), "\(nothing.errors)")
    let nowhere = try place.darkroom("attack", ["--bait", "/no/such/place"])
    #expect(nowhere.code == 73 && nowhere.errors.contains("--bait DIR") && !nowhere.errors.contains("--root"))
  }

  @Test func `somebody who stops the battery finds nothing left`() throws {
    let place = try Place(Person.available[0])
    let script =
      "#!/bin/sh\n[ $1 = --list ] && printf 'waits\\tfiles\\t\\twaits\\tlimits\\n' && exit\nsleep 3; exit 10\n"
    let probe = try place.write("probe.sh", script, mode: 0o755)
    let command = try place.startDarkroom("attack", ["--probes", probe, "--policy", "base"])
    try command.wait {
      try FileSystem.names(in: place.directory).contains { $0.hasPrefix("darkroom-attack-") }
    }
    command.signal(SIGINT)
    #expect(try command.end().code == 75)
    try expectNothingLeft(place)
  }
}
