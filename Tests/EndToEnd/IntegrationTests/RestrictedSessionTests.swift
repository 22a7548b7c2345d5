// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sessions of a user who cannot create user namespaces.
@Suite(.timeLimit(.minutes(20)), .enabled(if: NamespaceRefusal.isAvailable), .waiting)
struct RestrictedSessionTests {
  private static let policy =
    #"{"name":"loose","extends":"capture",\#(NamespaceRefusal.permission),"scratch":{"size":"1MiB"}}"#

  /// Returns a test home whose user cannot create user namespaces, and the options that permit this.
  private static func home() throws -> (home: TestHome, options: [String]) {
    let home = try TestHome(.regular)
    home.confinementPrefix = NamespaceRefusal.commandPrefix
    return (home, ["--policy", try home.write("loose.json", policy)])
  }

  @Test func `a launch without namespaces fails and names both fixes unless the policy allows it`() throws {
    let home = try Self.home().home
    let session = try home.exec(["true"])
    #expect(session.command.code == 126)
    for words in [
      "sysctl -w user.max_user_namespaces=", #""bestEffort": ["userNamespace"]"#, "The restricted mode",
    ] {
      #expect(session.command.errors.contains(words), "\(session.command.errors)")
    }
    #expect(session.record["enforcement"]?["layers"]?.elements?.isEmpty != false)
  }

  @Test func `a launch fails if a single mechanism denies access that the policy does not accept`() throws {
    let home = try Self.home().home
    let members = #""bestEffort":["userNamespace"],"acceptSingleMechanism":["udp"]"#
    let policy = try home.write("loose.json", #"{"name":"loose","extends":"capture",\#(members)}"#)
    let session = try home.exec(["sh", "-c", "echo ran"], options: ["--policy", policy])
    #expect(session.command.code == 126 && session.command.text.isEmpty, "\(session.command.errors)")
    for words in [
      "other sockets (seccomp)", "group containers (landlock)", "procMount: Unmasked",
      #""acceptSingleMechanism": ["otherSockets", "groupContainers"]"#,
    ] {
      #expect(session.command.errors.contains(words), "\(session.command.errors)")
    }
    #expect(!session.command.errors.contains("UDP"), "\(session.command.errors)")
    let doctor = try home.darkroom("doctor", ["--policy", policy])
    #expect(doctor.text.contains("acceptSingleMechanism"), "\(doctor.text)")
  }

  @Test func `the record of a restricted session names the mechanisms and checks of each denial`() throws {
    let (home, options) = try Self.home()
    let session = try home.exec(["true"], options: options)
    let denials = session.record["enforcement"]?["denials"]?.elements ?? []
    func words(_ access: String, _ member: String) -> [String]? {
      denials.first { $0["access"]?.string == access }?[member]?.elements?.compactMap(\.string)
    }
    #expect(denials.count == 4)
    #expect(words("udp", "mechanisms") == ["seccomp"])
    #expect(words("otherSockets", "checks") == ["policyFilter", "socketFilter"])
    #expect(words("groupContainers", "mechanisms") == ["landlock"])
    #expect(words("groupContainers", "checks") == ["policyRuleset", "stateRootRuleset"])
    #expect(words("tcp", "mechanisms")?.first == "seccomp")
  }

  /// The environment in which unprivileged users of Ubuntu 24.04 run, except for the maps of user namespaces.
  @Test(.enabled(if: TestPrograms.has("python3")))
  func `without capabilities in user namespaces, only the policy container launches a session`() throws {
    let home = try TestHome(.regular)
    home.confinementPrefix = SeccompWrapper.powerlessNamespacesPrefix
    // A new user namespace has no capability (control).
    #expect(try home.start(["/usr/bin/unshare", "--user", "true"]).end().code == 0)
    #expect(try home.start(["/usr/bin/unshare", "--user", "--net", "true"]).end().code != 0)
    let refused = try home.exec(["true"])
    #expect(refused.command.code == 126)
    #expect(refused.command.errors.contains("the policy 'container'"), "\(refused.command.errors)")
    let options = ["--policy", "container"]
    let session = try home.exec(["sh", "-c", "echo kept >\"$DARKROOM_SESSION_DIR/kept\""], options: options)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.command.errors.contains("this session runs restricted"), "\(session.command.errors)")
    #expect(session.files == ["kept"])
    try home.expectRestrictedSession(options: options)
  }

  @Test func `a restricted session runs, reports its missing layers, and is migrated and erased`() throws {
    let (home, options) = try Self.home()
    let script = """
      cat "$DARKROOM_APP_CONTEXT"; pwd
      echo kept >"$DARKROOM_SESSION_DIR/kept"; echo erased >"$TMPDIR/erased"; echo here >here
      ls -l "$TMPDIR" | tail -n +2 | wc -l; (sleep 300 &) ; exit 5
      """
    let session = try home.exec(["sh", "-c", script], options: options)
    #expect(session.command.code == 5, "\(session.command.errors)")
    let lines = session.command.errors.split(separator: "\n")
    // Each refused call adds one more line.
    #expect(lines.count { $0.contains("this session runs restricted") } == 1, "\(lines)")
    #expect(lines.dropFirst().allSatisfy { $0.contains(" was refused ") }, "\(lines)")
    #expect(lines.first?.contains("No space left on device (ENOSPC)") == true, "\(lines)")
    let directory = "\(home.root)/sessions/\(FileSystem.lastComponent(session.content))"
    #expect(session.command.text == "null\(directory)/content\n1\n")
    #expect(session.files == ["kept", "here"])
    #expect(session.record["erased"]?.elements?.first?["files"] == 1)

    let enforcement = try #require(session.record["enforcement"])
    #expect(enforcement["status"]?.string == "partial")
    var states: [String: String] = [:]
    for layer in enforcement["layers"]?.elements ?? [] {
      states[layer["name"]?.string ?? ""] = layer["state"]?.string
      if layer["state"]?.string == "missing" { #expect(layer["detail"]?.string?.isEmpty == false) }
    }
    for name in ["userNamespace", "mountNamespace", "pidNamespace", "networkNamespace", "root"] {
      #expect(states[name] == "missing", "\(states)")
    }
    for name in ["seccomp", "landlock", "noNewPrivileges", "capabilities", "limits", "descriptors"] {
      #expect(states[name] == "enforced", "\(states)")
    }
  }

  @Test(.enabled(if: TestPrograms.has("python3")))
  func `a restricted session cannot reach the network, other apps or host processes`() throws {
    let (home, options) = try Self.home()
    try home.expectRestrictedSession(options: options)
  }

  @Test func `explains a call that the policy allows but the restricted mode refuses`() throws {
    let (home, options) = try Self.home()
    let session = try home.exec(["sh", "-c", "echo x >file; chmod 600 file"], options: options)
    #expect(session.command.code == 1)
    for words in [
      "was refused fchmodat(", "the policy loose allows the call, but the session is restricted",
      "attributes of every file of the user", "allow this user to create user namespaces",
    ] {
      #expect(session.command.errors.contains(words), "\(session.command.errors)")
    }
  }

  @Test func `a container that exceeds its size ends a restricted session`() throws {
    let (home, options) = try Self.home()
    let script = #"head -c 8000000 /dev/zero >"$TMPDIR/large"; sleep 60"#
    let session = try home.exec(["sh", "-c", script], options: options)
    #expect(session.command.code == 77, "\(session.command.errors)")
    #expect(session.outcome == "violated")
  }

  @Test(arguments: ["unlinked", "unlinked-hidden", "unlinked-mapped", "temporary"])
  func `counts unlinked files, even if the host cannot inspect their owner`(bomb: String) throws {
    // The host estimates files that it cannot inspect by the usage of the file system, which other processes
    // must not change.
    try withSmallDisk(.regular, "size=512m") { home in
      home.confinementPrefix = NamespaceRefusal.commandPrefix
      try explode(bomb, at: home)
    }
  }

  private func explode(_ bomb: String, at home: TestHome) throws {
    let program = "\(home.programs.directory)/bin/Misbehaving"
    for (limit, code) in [("8MiB", 77), ("8GiB", 3)] {
      let policy =
        #"{"name":"loose","extends":"capture",\#(NamespaceRefusal.permission),"limits":{"sessionBytes":"\#(limit)"}}"#
      let options = ["--policy", try home.write("nameless.json", policy)]
      // The extension holds the files until the host has measured them.
      let linger = "linger=\(code == 77 ? 50 : 2)"
      let session = try home.exec([program, linger, "bomb=\(bomb)", "exit=3"], options: options)
      #expect(session.command.code == Int32(code), "\(session.command.errors)")
      let isNamed = session.command.errors.contains("of them in unlinked files")
      #expect(isNamed == (code == 77), "\(session.command.errors)")
    }
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `a restricted session leaves no process if its host is terminated or killed`(signal: Int32) throws {
    let (home, options) = try Self.home()
    let marker = "3\(Int.random(in: 100_000...999_999))"
    let script =
      "trap '' TERM HUP INT; echo x >$DARKROOM_SESSION_DIR/begun; (sleep \(marker) &); sleep \(marker); true"
    let words = ["--app", TestHome.app] + options + ["--", "sh", "-c", script]
    let command = try home.startDarkroom("exec", words)
    // Both processes run, so the previous commands of the script are done.
    try command.wait { Self.processes("sleep\0\(marker)\0").count == 2 }
    command.signal(signal)
    _ = try command.end()
    try home.eventually { Self.processes(marker).isEmpty }
    #expect(Self.processes(marker) == [])
    #expect(try home.darkroom("recover", []).code == 0)
    let content = "\(home.root)/apps/\(TestHome.app)/container/SessionContent"
    let session = try #require(try FileSystem.names(in: content).first)
    #expect(try FileSystem.names(in: "\(content)/\(session)") == ["begun"])
    try home.expectNothingLeft()
  }

  @Test func `recovery terminates processes of a killed host before it migrates their session`() throws {
    let (home, options) = try Self.home()
    let marker = "4\(Int.random(in: 100_000...999_999))"
    let script = "echo x >$DARKROOM_SESSION_DIR/begun; (sleep \(marker) &); sleep \(marker); true"
    let shell = try StoppedInit.runAndKillHost(in: home, options + ["--", "sh", "-c", script]) {
      Self.processes("sleep\0\(marker)\0").count == 2
    }
    #expect(Self.processes("sleep\0\(marker)\0").count == 2)
    #expect(try home.darkroom("recover", []).code == 0)
    #expect(Self.processes(marker) == [])
    try home.expectNothingLeft()
    withExtendedLifetime(shell) {}
  }

  /// Returns the processes with a text in their command lines.
  private static func processes(_ marker: String) -> [String] {
    ((try? FileSystem.names(in: "/proc")) ?? []).filter { name in
      guard Int32(name) != nil, let words = try? FileSystem.contents("/proc/\(name)/cmdline") else {
        return false
      }
      return String(decoding: words, as: UTF8.self).contains(marker)
    }
  }

  @Test func `the example extensions run in restricted sessions`() throws {
    let (home, _) = try Self.home()
    let bundle = home.file("Bundle")
    try runShell(
      """
      cp -r '\(home.programs.bundle)' '\(bundle)'
      for extension in '\(bundle)'/Extensions/*; do
        printf '%s' '\(Self.policy)' >"$extension/loose.json"
        sed -i 's/"policy": "capture"/"policy": "loose.json"/' "$extension/extension.json"
      done
      chmod -R u+rwX,go+rX '\(bundle)'
      """
    )
    try home.install(bundle)
    let script = "wait 300ms\npress primary\nwait 1s\ndismiss\n"
    for (name, camera, files) in [
      ("snapshot", "pattern:64x48@30", ["photo-1.jpg"]),
      ("framelogger", "pattern:64x48@30", ["frames.csv", "capture-1.pgm"]), ("notes", nil, ["notes.txt"]),
    ] as [(String, String?, Set<String>)] {
      let session = try home.run(name, script: script, options: camera.map { ["--camera", $0] } ?? [])
      #expect(session.command.code == 0, "\(name): \(session.command.errors)")
      #expect(session.command.errors.contains("this session runs restricted"), "\(session.command.errors)")
      #expect(session.files == files, "\(name): \(session.command.errors)")
    }
    guard TestPrograms.has("python3", "ffmpeg") else { return }
    let film = "wait 1500ms\ndismiss\n"
    for name in ["timelapse", "ffmpegrecorder"] {
      let session = try home.run(name, script: film, options: ["--camera", "pattern:64x48@30"])
      #expect(session.command.code == 0, "\(name): \(session.command.errors)")
      #expect(!session.files.isEmpty, "\(name): \(session.command.errors)")
    }
  }
}
