// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom explain` against the decisions of the kernel.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ExplanationTests {
  /// Paths of every kind inside and outside the sandbox's root.
  static let paths = [
    "/usr/bin/env", "/usr/share", "/bin/sh", "/bin", "/session", "/session/new", "/container",
    "/container/tmp/new",
    "/tmp/new", "/dev/null", "/dev/zero", "/dev/full", "/dev/mem", "/dev/kmsg", "/dev/shm/new", "/etc/passwd",
    "/etc/group", "/etc/shadow", "/etc/hosts", "/etc/hostname", "/etc/machine-id", "/root", "/home", "/sys",
    "/sys/class", "/proc/self/status", "/run", "/run/systemd", "/var", "/var/lib", "/boot",
    "/app-context.json",
    "/opt", "/srv", "/", "/usr/no-such-file", "/usr/../etc/passwd", "/lib",
  ]

  /// A shell script that tries to read and write each path, and writes down the results.
  private static let attempts = """
    for path in "$@"; do
      if test -d "$path"; then ls "$path" > /dev/null 2>&1; else head -c 1 "$path" > /dev/null 2>&1; fi
      echo "$path read $?"
      if test -d "$path"; then
        (: > "$path/darkroom-attempt") 2> /dev/null; echo "$path write $?"; rm -f "$path/darkroom-attempt" 2> /dev/null
      else
        (: >> "$path") 2> /dev/null; echo "$path write $?"
      fi
    done > /session/results
    """

  @Test(arguments: TestUser.available)
  func `explain predicts the kernel's decision for each path`(user: TestUser) throws {
    let home = try TestHome(user)
    let session = try home.exec(["sh", "-c", Self.attempts, "sh"] + Self.paths)
    let lines = try session.text("results").split(separator: "\n").map { $0.split(separator: " ") }
    try #require(lines.count == 2 * Self.paths.count, "\(session.command.errors)")
    for line in lines {
      let path = String(line[0])
      let options = line[1] == "write" ? ["--write"] : []
      let result = try home.darkroom("explain", [path, "--json"] + options)
      let explanation = try #require(
        try home.json(Array(result.text.utf8)).elements?.first,
        "\(result.errors)"
      )
      // A new file does not exist before it is written.
      if path.hasSuffix("/new"), line[1] == "read" { continue }
      // Each write to /dev/full fails with ENOSPC.
      if path == "/dev/full", line[1] == "write" { continue }
      let succeeded = line[2] == "0"
      #expect(
        explanation["verdict"]?.string == (succeeded ? "allowed" : "refused"),
        "\(line): \(explanation)"
      )
    }
  }

  @Test func `rejects an empty path as a usage error`() throws {
    let result = try TestHome(TestUser.available[0]).darkroom("explain", [""])
    #expect(result.code == 64 && result.errors.contains("PATH is empty"), "\(result.errors)")
  }

  /// Paths of programs. The script creates those that the host does not have.
  static let programs = [
    "/usr/bin/true", "/bin/true", "/session/copy", "/container/tmp/copy", "/tmp/copy", "/dev/shm/copy",
    "/usr/share/no-such-program", "/etc/passwd",
  ]

  @Test(arguments: TestUser.available)
  func `explain predicts the kernel's decision to execute each program`(user: TestUser) throws {
    let home = try TestHome(user)
    let script = """
      for path in "$@"; do
        case "$path" in *copy) cp /usr/bin/true "$path"; chmod 755 "$path";; esac
        "$path" 2> /dev/null; echo "$path $?"
      done > /session/results
      """
    let session = try home.exec(["sh", "-c", script, "sh"] + Self.programs)
    let lines = try session.text("results").split(separator: "\n").map { $0.split(separator: " ") }
    try #require(lines.map { String($0[0]) } == Self.programs, "\(session.command.errors)")
    for line in lines {
      let result = try home.darkroom("explain", [String(line[0]), "--execute", "--json"])
      let explanation = try #require(try home.json(Array(result.text.utf8)).elements?.first)
      #expect(
        explanation["verdict"]?.string == (line[1] == "0" ? "allowed" : "refused"),
        "\(line): \(explanation)"
      )
    }
  }

  @Test(arguments: TestUser.available)
  func `explains paths in the output of a failed extension, marked as a guess`(user: TestUser) throws {
    let home = try TestHome(user)
    for folder in ["Broken", "Broken/Extensions", "Broken/Extensions/Broken"] {
      try FileSystem.makeDirectory(home.file(folder))
      try home.giveOwnership(home.file(folder))
    }
    try home.write("Broken/app.json", #"{ "id": "\#(TestHome.app)", "name": "Broken" }"#)
    try home.write(
      "Broken/Extensions/Broken/extension.json",
      #"{ "id": "\#(TestHome.app).broken", "name": "Broken", "executable": "broken", "protocol": "none" }"#
    )
    let program = "#!/bin/sh\ncat /etc/hosts\nexit 3\n"
    try home.write("Broken/Extensions/Broken/broken", program, mode: 0o755)
    try home.install(home.file("Broken"))
    let session = try home.run("broken", script: "wait 60s\n")
    #expect(session.command.code == 3)
    let hint = session.command.errors.split(separator: "\n").first { $0.contains("guessed from its output") }
    let text = try #require(hint, "\(session.command.errors)")
    #expect(text.contains("/etc/hosts cannot be read (ENOENT by root)"))
    #expect(text.contains(#""readOnly":["/etc/hosts"]"#))

    try home.write("Broken/Extensions/Broken/broken", "#!/bin/sh\ncat /etc/hosts\nexit 0\n", mode: 0o755)
    try home.install(home.file("Broken"))
    let orderly = try home.run("broken", script: "wait 60s\n")
    #expect(orderly.command.code == 0 && !orderly.command.errors.contains("guessed"))
  }
}
