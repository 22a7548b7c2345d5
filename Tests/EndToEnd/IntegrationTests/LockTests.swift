// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the lock and passcode commands as root and as an unprivileged user.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("dbus-daemon")), .waiting) struct LockTests {
  /// Runs a command that reads answers from standard input.
  private func darkroom(_ home: TestHome, _ arguments: [String], _ answers: String = "") throws
    -> Command.Result
  {
    let input = try home.write("answers", answers)
    return try home.darkroom(arguments[0], Array(arguments.dropFirst()), input: input)
  }

  /// Returns the state of the lock.
  private func state(_ home: TestHome) throws -> String? {
    let result = try darkroom(home, ["lock", "status", "--json"])
    return try home.json(result.output)["state"]?.string
  }

  @Test(arguments: TestUser.available)
  func `stays locked until the passcode is entered`(user: TestUser) throws {
    let home = try TestHome(user)
    #expect(try state(home) == "unlocked")
    #expect(try darkroom(home, ["lock"]).code == 0)
    #expect(
      try darkroom(home, ["unlock", "--passcode-fd", "0"], "1234\n").code == 69,
      "the user cannot be prompted"
    )
    #expect(try darkroom(home, ["passcode", "set", "--passcode-fd", "0"], "1234\n").code == 0)
    #expect(try darkroom(home, ["unlock", "--passcode-fd", "0"], "4321\n").code == 77)
    #expect(try state(home) == "locked")
    #expect(try darkroom(home, ["unlock", "--passcode-fd", "0"], "1234\n").code == 0)
    #expect(try state(home) == "unlocked")
    #expect(try darkroom(home, ["passcode", "clear", "--passcode-fd", "0"], "4321\n").code == 77)
    #expect(try darkroom(home, ["passcode", "set", "--passcode-fd", "0"], "1234\n5678\n").code == 0)
    #expect(try darkroom(home, ["passcode", "check", "--passcode-fd", "0"], "5678\n").code == 0)
    #expect(try darkroom(home, ["passcode", "clear", "--passcode-fd", "0"], "5678\n").code == 0)
    #expect(try darkroom(home, ["passcode", "check", "--passcode-fd", "0"], "5678\n").code == 66)
  }

  @Test(arguments: TestUser.available)
  func `refuses the right passcode after five wrong ones in any process`(user: TestUser) throws {
    let home = try TestHome(user)
    #expect(try darkroom(home, ["passcode", "set", "--passcode-fd", "0"], "1234\n").code == 0)
    for _ in 0..<5 {
      #expect(try darkroom(home, ["passcode", "check", "--passcode-fd", "0"], "0000\n").code == 77)
    }
    let refused = try darkroom(home, ["unlock", "--passcode-fd", "0"], "1234\n")
    #expect(refused.code == 75)
    #expect(refused.errors.contains("too many attempts have failed; wait "))
  }

  @Test(arguments: TestUser.available)
  func `neither a file of the state root nor a message contains an entered passcode`(user: TestUser) throws {
    let home = try TestHome(user)
    let (first, second, wrong) = ("opera-4711-tonight", "ballet-4712-tonight", "operetta-4713-tonight")
    let commands = [
      (["passcode", "set"], "\(first)\n"), (["passcode", "check"], "\(wrong)\n"), (["lock"], ""),
      (["unlock"], "\(wrong)\n"), (["unlock"], "\(first)\n"),
      (["passcode", "set"], "\(wrong)\n\(second)\n"), (["passcode", "set"], "\(first)\n\(second)\n"),
      (["passcode", "check"], "\(second)\0\n"), (["passcode", "clear"], "\(wrong)\n"),
    ]
    var messages = ""
    for (words, answers) in commands {
      let options = words == ["lock"] ? [] : ["--passcode-fd", "0"]
      let result = try darkroom(home, words + options, answers)
      messages += result.text + result.errors
    }
    // Control: the commands have changed the passcode and counted failures.
    #expect(try darkroom(home, ["passcode", "check", "--passcode-fd", "0"], "\(second)\n").code == 0)
    #expect(!messages.isEmpty)
    for secret in [first, second, wrong] {
      let bytes = Array(secret.utf8)
      let hexadecimal = hexadecimalText(bytes)
      for form in [secret, hexadecimal, hexadecimal.uppercased()] {
        #expect(!messages.contains(form))
        // grep exits with 1 if it finds nothing, and with 2 after an error.
        try runShell("grep -rqF -e '\(form)' '\(home.root)' && exit 1 || test $? = 1")
      }
    }
    // Control: grep finds what a file contains.
    let salt = "\"algorithm\""
    try runShell("grep -rqF -e '\(salt)' '\(home.root)'")
  }

  @Test(arguments: TestUser.available)
  func `counts an attempt whose host is killed`(user: TestUser) throws {
    let home = try TestHome(user)
    let program = try home.write(
      "asks",
      "#!/bin/sh\necho $$ >>'\(home.file("pids"))'\ntouch '\(home.file("on"))'\nexec sleep 1000\n",
      mode: 0o755
    )
    let arguments = ["configure", "--authenticator", "command", "--command", program]
    #expect(try darkroom(home, ["lock"] + arguments).code == 0)
    for _ in 0..<5 {
      try? FileSystem.unlink(home.file("on"))
      let command = try home.startDarkroom("unlock", [])
      try command.wait { try FileSystem.status(home.file("on")) != nil }
      command.signal(SIGKILL)
      _ = try command.end()
    }
    #expect(try darkroom(home, ["unlock"]).code == 75)
    // The authentication programs outlive their killed hosts.
    try runShell("kill -9 $(cat '\(home.file("pids"))')")
  }

  @Test(arguments: TestUser.available)
  func `a signal cancels an attempt, and the lock stays locked`(user: TestUser) throws {
    let home = try TestHome(user)
    let program = try home.write(
      "asks",
      "#!/bin/sh\necho $$ >>'\(home.file("pids"))'\ntouch '\(home.file("on"))'\nexec sleep 1000\n",
      mode: 0o755
    )
    let arguments = ["configure", "--authenticator", "command", "--command", program]
    #expect(try darkroom(home, ["lock"] + arguments).code == 0)
    #expect(try darkroom(home, ["lock"]).code == 0)
    let command = try home.startDarkroom("unlock", [])
    try command.wait { try FileSystem.status(home.file("on")) != nil }
    command.signal(SIGTERM)
    #expect(try command.end().code == 75)
    #expect(try home.processes() == [], "the program that asked has ended, too")
    #expect(try state(home) == "locked")
  }

  @Test(arguments: TestUser.available)
  func `PAM decides whether the user is authenticated`(user: TestUser) throws {
    let home = try TestHome(user)
    try FileSystem.makeDirectory(home.file("services"), mode: 0o755)
    try home.giveOwnership(home.file("services"))
    let arguments = ["lock", "configure", "--authenticator", "pam", "--pam-directory", home.file("services")]
    #expect(try darkroom(home, arguments).code == 0)
    #expect(try darkroom(home, ["unlock"]).code == 69, "there is no such service")
    guard user == .root else { return }
    try home.write("services/darkroom", "auth required pam_permit.so\naccount required pam_permit.so\n")
    #expect(try darkroom(home, ["unlock"]).code == 0)
    try home.write("services/darkroom", "auth required pam_deny.so\naccount required pam_permit.so\n")
    #expect(try darkroom(home, ["unlock"]).code == 77)
  }
}
