// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the lock and passcode commands as root and as an unprivileged user.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Programs.has("dbus-daemon")), .waiting) struct LockTests {
  /// Runs a command that reads answers from standard input.
  private func darkroom(_ place: Place, _ words: [String], _ answers: String = "") throws -> Command.Result {
    let input = try place.write("answers", answers)
    return try place.darkroom(words[0], Array(words.dropFirst()), input: input)
  }

  /// Returns the state of the lock.
  private func state(_ place: Place) throws -> String? {
    let result = try darkroom(place, ["lock", "status", "--json"])
    return try place.json(result.output)["state"]?.string
  }

  @Test(arguments: Person.available)
  func `it is locked until the person gives the passcode`(person: Person) throws {
    let place = try Place(person)
    #expect(try state(place) == "unlocked")
    #expect(try darkroom(place, ["lock"]).code == 0)
    #expect(
      try darkroom(place, ["unlock", "--passcode-fd", "0"], "1234\n").code == 69,
      "nobody can be asked"
    )
    #expect(try darkroom(place, ["passcode", "set", "--passcode-fd", "0"], "1234\n").code == 0)
    #expect(try darkroom(place, ["unlock", "--passcode-fd", "0"], "4321\n").code == 77)
    #expect(try state(place) == "locked")
    #expect(try darkroom(place, ["unlock", "--passcode-fd", "0"], "1234\n").code == 0)
    #expect(try state(place) == "unlocked")
    #expect(try darkroom(place, ["passcode", "clear", "--passcode-fd", "0"], "4321\n").code == 77)
    #expect(try darkroom(place, ["passcode", "set", "--passcode-fd", "0"], "1234\n5678\n").code == 0)
    #expect(try darkroom(place, ["passcode", "check", "--passcode-fd", "0"], "5678\n").code == 0)
    #expect(try darkroom(place, ["passcode", "clear", "--passcode-fd", "0"], "5678\n").code == 0)
    #expect(try darkroom(place, ["passcode", "check", "--passcode-fd", "0"], "5678\n").code == 66)
  }

  @Test(arguments: Person.available)
  func `after five wrong answers, in any process, the right one is refused`(person: Person) throws {
    let place = try Place(person)
    #expect(try darkroom(place, ["passcode", "set", "--passcode-fd", "0"], "1234\n").code == 0)
    for _ in 0..<5 {
      #expect(try darkroom(place, ["passcode", "check", "--passcode-fd", "0"], "0000\n").code == 77)
    }
    let refused = try darkroom(place, ["unlock", "--passcode-fd", "0"], "1234\n")
    #expect(refused.code == 75)
    #expect(refused.errors.contains("too many attempts have failed; wait "))
  }

  @Test(arguments: Person.available)
  func `a host that is killed in mid-attempt gives no attempt for free`(person: Person) throws {
    let place = try Place(person)
    let program = try place.write(
      "asks",
      "#!/bin/sh\necho $$ >>'\(place.file("pids"))'\ntouch '\(place.file("on"))'\nexec sleep 1000\n",
      mode: 0o755
    )
    let words = ["configure", "--authenticator", "command", "--command", program]
    #expect(try darkroom(place, ["lock"] + words).code == 0)
    for _ in 0..<5 {
      try? FileSystem.unlink(place.file("on"))
      let command = try place.startDarkroom("unlock", [])
      try command.wait { try FileSystem.status(place.file("on")) != nil }
      command.signal(SIGKILL)
      _ = try command.end()
    }
    #expect(try darkroom(place, ["unlock"]).code == 75)
    // The authentication programs outlive their killed hosts.
    try runShell("kill -9 $(cat '\(place.file("pids"))')")
  }

  @Test(arguments: Person.available)
  func `a signal breaks an attempt off, and it is still locked`(person: Person) throws {
    let place = try Place(person)
    let program = try place.write(
      "asks",
      "#!/bin/sh\necho $$ >>'\(place.file("pids"))'\ntouch '\(place.file("on"))'\nexec sleep 1000\n",
      mode: 0o755
    )
    let words = ["configure", "--authenticator", "command", "--command", program]
    #expect(try darkroom(place, ["lock"] + words).code == 0)
    #expect(try darkroom(place, ["lock"]).code == 0)
    let command = try place.startDarkroom("unlock", [])
    try command.wait { try FileSystem.status(place.file("on")) != nil }
    command.signal(SIGTERM)
    #expect(try command.end().code == 75)
    #expect(try place.processes() == [], "the program that asked has ended, too")
    #expect(try state(place) == "locked")
  }

  @Test(arguments: Person.available)
  func `PAM says whether it is the person`(person: Person) throws {
    let place = try Place(person)
    try FileSystem.makeDirectory(place.file("services"), mode: 0o755)
    try place.give(place.file("services"))
    let words = ["lock", "configure", "--authenticator", "pam", "--pam-directory", place.file("services")]
    #expect(try darkroom(place, words).code == 0)
    #expect(try darkroom(place, ["unlock"]).code == 69, "there is no such service")
    guard person == .root else { return }
    try place.write("services/darkroom", "auth required pam_permit.so\naccount required pam_permit.so\n")
    #expect(try darkroom(place, ["unlock"]).code == 0)
    try place.write("services/darkroom", "auth required pam_deny.so\naccount required pam_permit.so\n")
    #expect(try darkroom(place, ["unlock"]).code == 77)
  }
}
