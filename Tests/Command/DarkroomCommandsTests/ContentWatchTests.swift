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

  @Test func `content watch prints the initial content and then one JSON object per change`() throws {
    let first = try fixture.migrateSession()
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
    var lines = PipeLineReader(output.readEnd.rawValue)
    let initial = try JSONNode.parse(lines.next()).value
    let second = try fixture.migrateSession("two")
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

  @Test func `a timeout ends the watch and is a failure if --count was not reached`() throws {
    let id = try fixture.migrateSession()
    let quiet = try fixture.run("content", "watch", app, "--timeout", "20ms")
    #expect(quiet.code == 0)
    #expect(quiet.lines.count == 1)
    #expect(quiet.output.hasPrefix("initial  \(id)  1 file, 7 bytes  /"))
    let short = try fixture.run("content", "watch", app, "--timeout", "20ms", "--count", "2")
    #expect(short.code == 124)
    #expect(short.errorOutput == "darkroom: only 0 of 2 changes occurred before the timeout\n")
  }

  @Test(arguments: ["TERM", "INT"]) func `a signal ends the watch with exit code 0`(signal: String) throws {
    try fixture.migrateSession()
    // The first line shows that the signal handlers are installed. An earlier signal would terminate the
    // program.
    // A shell ignores SIGINT in commands in the background, and the timeout(1) of coreutils 9.8 does not change that.
    try runShell(
      """
      env --default-signal=INT \
        timeout 30 \(BuiltProgram.path) --root \(fixture.root) content watch \(app) >\(fixture.directory)/out &
      until test -s \(fixture.directory)/out; do sleep 0.05; done
      kill -\(signal) $(cat /proc/$!/task/$!/children)
      wait $!
      """
    )
  }

  @Test func `an idle watch ends if the reader closes the pipe`() throws {
    try fixture.migrateSession()
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
