// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import JSONText
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ContentWatchTests {
  let fixture: CommandFixture
  private let app = CommandFixture.app

  init() throws { fixture = try CommandFixture() }

  @Test func `what is there comes first, then each change, one object a line`() throws {
    let first = try fixture.deliver()
    let output = try Pipe.make()
    let console = Console(
      output: output.writeEnd.rawValue,
      error: 2,
      input: 0,
      environment: { _ in nil }
    )
    let words = [
      "--root", fixture.root, "content", "watch", app, "--json", "--count", "2", "--timeout", "30s",
    ]
    let watcher = try PlainThread.start(name: "watcher") {
      let code = DarkroomCommandLine.main(words, console)
      console.print("exit \(code)")
    }
    var lines = PipeLines(output.readEnd.rawValue)
    let initial = try JSONNode.parse(lines.next()).value
    let second = try fixture.deliver("two")
    let added = try JSONNode.parse(lines.next()).value
    #expect(try fixture.run("content", "invalidate", app, first.description).code == 0)
    let removed = try JSONNode.parse(lines.next()).value
    #expect(initial["type"] == "initial")
    #expect(initial["sessions"]?.elements?.compactMap { $0["session"]?.string } == [first.description])
    #expect(added["type"] == "added")
    #expect(added["session"]?["session"]?.string == second.description)
    #expect(added["session"]?["bytes"] == 3)
    #expect(removed == ["type": "removed", "app": "org.example.camera", "session": .string("\(first)")])
    #expect(try lines.next() == "exit 0")
    watcher.join()
  }

  @Test func `a timeout is the end, and with a count that was not reached a failure`() throws {
    let id = try fixture.deliver()
    let quiet = try fixture.run("content", "watch", app, "--timeout", "20ms")
    #expect(quiet.code == 0)
    #expect(quiet.lines.count == 1)
    #expect(quiet.output.hasPrefix("initial  \(id)  1 file, 7 bytes  /"))
    let short = try fixture.run("content", "watch", app, "--timeout", "20ms", "--count", "2")
    #expect(short.code == 124)
    #expect(short.notes == "darkroom: only 0 of 2 changes came before the timeout\n")
  }

  @Test(arguments: ["TERM", "INT"]) func `a signal ends it in order`(signal: String) throws {
    try fixture.deliver()
    // The first line shows that the signal handlers are installed. An earlier signal would terminate the
    // program.
    try runShell(
      """
      timeout 30 \(BuiltProgram.path) --root \(fixture.root) content watch \(app) >\(fixture.directory)/out &
      until test -s \(fixture.directory)/out; do sleep 0.05; done
      kill -\(signal) $(cat /proc/$!/task/$!/children)
      wait $!
      """
    )
  }

  @Test func `it ends when nobody reads it any more, although nothing happens`() throws {
    try fixture.deliver()
    try runShell(
      """
      mkfifo \(fixture.directory)/fifo
      timeout 20 \(BuiltProgram.path) --root \(fixture.root) content watch \(app) >\(fixture.directory)/fifo &
      head -n 1 <\(fixture.directory)/fifo
      wait $!
      """
    )
  }
}
