// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the answers to updates of the app context.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ContextTests {
  /// An extension that sends updates, writes each received line to a file, and ends the session.
  private static let program = #"""
    #!/bin/sh
    # host-in and host-out are the first two descriptors of a session without a camera.
    say() { printf '%s\n' "$1" >&4; }
    update() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"context/update\",\"params\":$2}"; }
    read -r line <&3
    session=${line#*\"sessionDirectory\":\"}
    id=${line#*\"id\":}
    say "{\"jsonrpc\":\"2.0\",\"id\":${id%%,*},\"result\":{\"protocolVersion\":1}}"
    update 1 '{"context":{"n":9},"ifContext":{"n":0}}'
    update 2 '{"context":{"n":2},"ifContext":{"n":1}}'
    update 3 '{"context":{"n":9},"ifContext":null}'
    update 4 '{"context":null,"ifContext":{"n":2}}'
    update 5 "{\"context\":\"$(printf '%04095d' 0)\",\"ifContext\":null}"
    update 6 '{"context":{"n":3},"ifContext":null}'
    update 7 '{"context":{"n":4}}'
    say '{"jsonrpc":"2.0","id":8,"method":"session/dismiss","params":{}}'
    while read -r line <&3; do printf '%s\n' "$line" >>"${session%%\"*}/lines"; done
    """#

  @Test(arguments: TestUser.available)
  func `refuses a conditional context update on a mismatch, and returns the current context`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let bundle = home.file("Bundle")
    try runShell("cp -r '\(home.programs.bundle)' '\(bundle)'")
    try FileSystem.replaceContents(
      "\(bundle)/Extensions/Notes/notes.sh",
      with: Array(Self.program.utf8),
      mode: 0o755
    )
    try home.install(bundle)
    #expect(try home.darkroom("context", ["set", TestHome.app, #"{"n":1}"#]).code == 0)
    let session = try home.run("notes", script: "wait 60s\n")
    #expect(session.outcome == "dismissed", "\(session.command.errors)")
    var answers: [Int64: JSONValue] = [:]
    for line in try session.text("lines").split(separator: "\n") {
      let message = try home.json(Array(line.utf8))
      // The host does not notify an extension of its own updates.
      #expect(message["method"]?.string != "context/changed")
      if let id = message["id"]?.integer, message["method"] == nil { answers[id] = message }
    }
    #expect(answers[1]?["error"]?["code"] == 4018)
    #expect(answers[1]?["error"]?["data"] == ["n": 1])
    #expect(answers[2]?["result"] == ["bytes": 7])
    #expect(answers[3]?["error"]?["code"] == 4018)
    #expect(answers[3]?["error"]?["data"] == ["n": 2])
    #expect(answers[4]?["result"] == ["bytes": 0])
    #expect(answers[5]?["error"]?["code"] == 4001)
    #expect(answers[6]?["result"] == ["bytes": 7])
    #expect(answers[7]?["result"] == ["bytes": 7])
    #expect(answers.count == 8)
    let context = try home.darkroom("context", ["get", TestHome.app])
    #expect(context.text.filter { !$0.isWhitespace } == #"{"n":4}"#)
  }
}
