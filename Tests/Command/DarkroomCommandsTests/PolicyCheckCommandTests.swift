// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// `darkroom policy check`.
@Suite struct PolicyCheckCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// Writes a policy and returns its path.
  private func policy(_ members: String, _ name: String = "own.json") throws -> String {
    try fixture.write(name, #"{"name":"own","description":"Ä.","extends":"strict",\#(members)}"#)
    return "\(fixture.directory)/\(name)"
  }

  @Test func `the shipped policies pass the check with --fail-on note`() throws {
    let result = try fixture.run(
      "policy",
      "check",
      "base",
      "capture",
      "container",
      "strict",
      "--fail-on",
      "note"
    )
    #expect(result.code == 0)
    #expect(result.lines.filter { $0.contains(": 0 errors, 0 warnings, 0 notes; ") }.count == 4)
    #expect(result.output.contains("justified: all of /usr is shown [DR3003 broad-path]"))
  }

  @Test func `--fail-on sets the lowest severity that exits with code 65`() throws {
    let path = try policy(#""syscalls":{"allow":["symlink","mknod"]}"#)
    for (severity, code) in [("error", Int32(0)), ("warning", 65), ("note", 65)] {
      #expect(try fixture.run("policy", "check", path, "--fail-on", severity).code == code, "\(severity)")
    }
    #expect(try fixture.run("policy", "check", path).code == 0)
    let note = try policy(#""syscalls":{"allow":["symlink"]}"#)
    #expect(try fixture.run("policy", "check", note, "--fail-on", "warning").code == 0)
    let justified = try policy(
      #""syscalls":{"allow":["symlink"]},"justifications":[{"rule":"DR1303","subject":"symlink","reason":"So."}]"#
    )
    #expect(try fixture.run("policy", "check", justified, "--fail-on", "note").code == 0)
  }

  @Test func `each finding has its position, reason and remediation`() throws {
    let path = try policy(#""syscalls":{"allow":["symlink"]}"#)
    let result = try fixture.run("policy", "check", path)
    #expect(
      result.lines[0].hasPrefix(
        "\(path):1:75: note: \"symlink\" creates links [DR1303 links, syscalls.allow[0]]"
      )
    )
    #expect(result.lines[1].hasPrefix("    why: ") && result.lines[2].hasPrefix("    instead: "))
    let json = try fixture.run("policy", "check", path, "--json").json
    let finding = json["policies"]?.elements?.first?["findings"]?.elements?.first
    #expect(finding?["rule"] == "DR1303" && finding?["key"] == "syscalls.allow[0]")
    #expect(finding?["location"]?["line"] == 1 && finding?["location"]?["file"]?.string == path)
    #expect(json["policies"]?.elements?.first?["notes"] == 1)
  }

  @Test func `an invalid policy document is a finding in every format`() throws {
    let path = try policy(#""syscalls":{"allow":["socket","opne"]}"#)
    let text = try fixture.run("policy", "check", path)
    #expect(text.code == 65)
    #expect(text.lines[0].contains("DR0201 network") && text.output.contains("DR0101 unknown-name"))
    let sarif = try fixture.run("policy", "check", path, "--format", "sarif")
    #expect(sarif.code == 65)
    let results = try #require(try sarif.json["runs"]?.elements?.first?["results"]?.elements)
    #expect(results.map { $0["ruleId"]?.string } == ["DR0201", "DR0101"])
    try fixture.write("broken.json", "{")
    let broken = try fixture.run("policy", "check", "\(fixture.directory)/broken.json", "--json")
    #expect(broken.code == 65 && broken.output.contains("DR0001"))
  }

  @Test func `SARIF counts columns in UTF-16 units and reports shared findings once`() throws {
    let first = try policy(#""syscalls":{"allow":["symlink"]}"#, "a.json")
    let second = try policy(#""syscalls":{"allow":["link"]}"#, "b.json")
    let log = try fixture.run("policy", "check", first, second, "--format", "sarif").json
    let results = try #require(log["runs"]?.elements?.first?["results"]?.elements)
    let locations = results.compactMap { $0["locations"]?.elements?.first?["physicalLocation"] }
    // The letter Ä has two UTF-8 bytes and one UTF-16 unit.
    #expect(locations.first?["region"]?["startColumn"] == 74)
    #expect(locations.first?["artifactLocation"]?["uri"]?.string == "file://\(first)")
    #expect(locations.filter { $0["artifactLocation"]?["uri"] == "strict.json" }.count == 4)
  }

  @Test func `--machine inspects shown files up to an entry limit`() throws {
    // The test directory is in /tmp, which a policy cannot show.
    let path = "/opt/darkroom-check-\(Randomness.hexadecimal(bytes: 8))"
    do { try FileSystem.makeDirectories("\(path)/a") } catch {
      print("SKIP: this user may not write to /opt")
      return
    }
    defer { try? FileSystem.removeTree(path) }
    try FileSystem.replaceContents("\(path)/a/open", with: [1], mode: 0o666)
    try FileSystem.open("\(path)/a/open", []).setPermissions(0o666)
    try FileSystem.replaceContents("\(path)/program", with: [1], mode: 0o755)
    try FileSystem.open("\(path)/program", []).setPermissions(0o4755)
    // The search must not follow a symbolic link out of the path; /dev would cause many findings.
    try runShell("mkfifo '\(path)/a/pipe' && ln -s /dev '\(path)/out'")
    let policy = try policy(#""readOnly":["\#(path)","\#(path)-not"]"#)
    func rules(_ words: String...) throws -> Set<String> {
      let json = try CommandResult.run(["policy", "check", policy, "--json"] + words).json
      let findings = try #require(json["policies"]?.elements?.first?["findings"]?.elements)
      return Set(findings.compactMap { $0["rule"]?.string }.filter { $0.hasPrefix("DR31") })
    }
    #expect(try rules().isEmpty)
    #expect(try rules("--machine") == ["DR3101", "DR3102", "DR3104", "DR3105"])
    #expect(try rules("--machine", "--machine-entries", "1") == ["DR3101", "DR3106"])
  }

  @Test func `--machine finds private keys and passwords below the opt directory but no certificates`() throws
  {
    let path = "/opt/darkroom-check-\(Randomness.hexadecimal(bytes: 8))"
    do { try FileSystem.makeDirectories("\(path)/etc/deep") } catch {
      print("SKIP: this user may not write to /opt")
      return
    }
    defer { try? FileSystem.removeTree(path) }
    let policy = try policy(#""readOnly":["\#(path)"]"#)
    /// Returns the messages about secrets below the shown path.
    func secrets() throws -> [String] {
      let json = try CommandResult.run(["policy", "check", policy, "--machine", "--json"]).json
      let findings = try #require(json["policies"]?.elements?.first?["findings"]?.elements)
      return findings.filter { $0["rule"]?.string == "DR3108" }.compactMap { $0["message"]?.string }
    }
    func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws {
      try FileSystem.replaceContents("\(path)/etc/deep/\(name)", with: Array(text.utf8), mode: mode)
    }
    try write("ca.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n")
    try write("id_ed25519.pub", "ssh-ed25519 AAAA ada\n")
    try write("config", "PrivateKey = documented here\n")
    #expect(try secrets() == [])
    // The text of a private key, split so that secret scanners ignore this file.
    let key = "-----BEGIN OPENSSH PRIVATE" + " KEY-----\nAAAA\n"
    let found: [(name: String, text: String, mode: UInt32)] = [
      ("server.pem", "comment\n" + key, 0o644), ("id_ed25519", key, 0o644), ("config.local", key, 0o600),
      (".netrc", "machine example login ada", 0o644), ("store.p12", "0", 0o644),
      ("backup.old.AGE-KEY", "0", 0o644), ("deploy_RSA", key, 0o644), ("tls-key", key, 0o644),
    ]
    for (name, text, mode) in found {
      try write(name, text, mode: mode)
      #expect(try secrets().count == 1 && secrets()[0].contains("/etc/deep/\(name)"), "\(name)")
      // Only the file itself is shown.
      let single = try self.policy(#""readOnly":["\#(path)/etc/deep/\#(name)"]"#, "single.json")
      let json = try CommandResult.run(["policy", "check", single, "--machine", "--json"]).json
      let rules = json["policies"]?.elements?.first?["findings"]?.elements?.compactMap { $0["rule"]?.string }
      #expect(rules?.contains("DR3108") == true, "\(name)")
      try FileSystem.removeTree("\(path)/etc/deep/\(name)")
    }
  }

  @Test func `finds file watches and seccomp filters of a session`() throws {
    let watching = try policy(
      #""readOnly":["/usr/share"],"syscalls":{"allow":["inotify_init1","inotify_add_watch"]}"#,
      "watching.json"
    )
    let filters = #"{"call":"seccomp","arguments":[{"index":1,"mask":"0x8","equals":0}]}"#
    let option = #"{"call":"prctl","arguments":[{"index":0,"equals":22}]}"#
    let filtering = try policy(#""syscalls":{"allow":[\#(filters),\#(option)]}"#, "filtering.json")
    func rules(_ path: String) throws -> [String] {
      let json = try CommandResult.run(["policy", "check", path, "--machine", "--json"]).json
      let findings = json["policies"]?.elements?.first?["findings"]?.elements ?? []
      return findings.compactMap { $0["rule"]?.string }.filter { ["DR1406", "DR1407"].contains($0) }
    }
    #expect(try rules(watching) == ["DR1406"])
    #expect(try rules(filtering) == ["DR1407", "DR1407"])
  }

  @Test func `lists the rules without a policy`() throws {
    let table = try fixture.run("policy", "check", "--rules")
    #expect(table.code == 0 && table.output.contains("DR1001  write-and-execute-memory"))
    let rules = try #require(try fixture.run("policy", "check", "--rules", "--json").json["rules"]?.elements)
    #expect(rules.count == table.lines.count - 1)
    #expect(rules.allSatisfy { $0["remediation"]?.string?.isEmpty == false })
  }

  @Test func `policy check rejects an invalid command line`() throws {
    #expect(try fixture.run("policy", "check").code == 64)
    #expect(try fixture.run("policy", "check", "base", "--json", "--format", "sarif").code == 64)
    #expect(try fixture.run("policy", "check", "bse").code == 66)
    #expect(try fixture.run("policy", "check", "./nothing.json").code == 66)
  }
}
