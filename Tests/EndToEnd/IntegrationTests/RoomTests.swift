// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sessions on file systems of a few megabytes without free space.
@Suite(.timeLimit(.minutes(20)), .serialized, .waitingInTurn) struct RoomTests {
  private func exec(_ place: Place, _ script: String, _ options: [String] = []) throws -> (
    record: JSONValue, result: Command.Result
  ) {
    let words = ["--app", Place.app, "--record", place.file("record.json")] + options
    let result = try place.darkroom("exec", words + ["--", "sh", "-c", script])
    let bytes = try #require(try? FileSystem.contents(place.file("record.json")), "\(result.errors)")
    return (try place.json(bytes), result)
  }

  @Test(arguments: Person.available)
  func `what fills the disk to the reserve gets an error, and goes on when it has deleted something`(
    person: Person
  ) throws {
    try withSmallDisk(person) { place in
      #expect(try place.darkroom("quota", ["set", "--reserve", "4MiB"]).code == 0)
      let script = """
        i=0; while head -c 200000 /dev/zero >/session/$i; do i=$((i+1)); sleep 0.01; done
        echo "stopped at $i"
        rm -f /session/[0-9]*; i=0; until head -c 100000 /dev/zero >/session/after; do
          sleep 0.1; i=$((i+1)); test $i -lt 1800 || exit 9; done
        """
      let (record, result) = try exec(place, script)
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.text.contains("stopped at"))
      #expect(result.errors.contains("File too large"), "\(result.errors)")
      let files = (record["files"]?.elements ?? []).compactMap { $0["path"]?.string }
      #expect(files.contains("after"))
      let free = try FileSystem.freeSpace(place.root)
      #expect(free >= 2 << 20)
    }
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `in a restricted session, too, what fills its room gets an error, and goes on after deleting`() throws
  {
    let place = try Place(.ordinary)
    place.confinement = NamespaceRefusal.words
    let policy =
      #"{"name":"loose","extends":"capture","bestEffort":["userNamespace"],"limits":{"sessionBytes":"2MiB"}}"#
    let script = """
      cd "$DARKROOM_SESSION_DIR"
      i=0; while head -c 200000 /dev/zero >$i; do i=$((i+1)); sleep 0.05; done
      echo "stopped at $i"
      rm -f *; i=0; until head -c 100000 /dev/zero >after; do
        sleep 0.1; i=$((i+1)); test $i -lt 1800 || exit 9; done
      """
    let options = ["--policy", try place.write("loose.json", policy)]
    let session = try place.exec(["sh", "-c", script], options: options)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.command.text.contains("stopped at"))
    #expect(session.command.errors.contains("this session runs restricted"), "\(session.command.errors)")
    #expect(session.command.errors.contains("File too large"), "\(session.command.errors)")
    #expect(session.files == ["after"])
    #expect(try session.bytes("after").count == 100_000)
  }

  @Test(arguments: Person.available, ["app", "policy"])
  func `a session leaves free what its app or its policy asks for, where that is more`(
    person: Person,
    source: String
  ) throws {
    try withSmallDisk(person) { place in
      #expect(try place.darkroom("quota", ["set", "--reserve", "1MiB"]).code == 0)
      var options: [String] = []
      if source == "app" {
        #expect(try place.darkroom("quota", ["set", "--app", Place.app, "--reserve", "10MiB"]).code == 0)
      } else {
        let policy = #"{"name": "kept", "extends": "capture", "limits": {"freeReserve": "10MiB"}}"#
        options = ["--policy", try place.write("kept.json", policy)]
      }
      let script = """
        i=0; while head -c 200000 /dev/zero >/session/$i; do i=$((i+1)); sleep 0.01; done
        echo "stopped at $i"
        """
      let (record, result) = try exec(place, script, options)
      #expect(record["outcome"]?["kind"]?.string == "completed", "\(record["outcome"] ?? .null)")
      #expect(result.text.contains("stopped at"))
      #expect(result.errors.contains("File too large"), "\(result.errors)")
      #expect(try FileSystem.freeSpace(place.root) >= 5 << 20)
      guard source == "app" else { return }
      #expect(try place.darkroom("quota", ["set", "--app", Place.app, "--reserve", "16MiB"]).code == 0)
      let refused = try place.darkroom("exec", ["--app", Place.app, "--", "true"])
      #expect(refused.code == 73, "\(refused.errors)")
      #expect(refused.errors.contains("as was chosen for the app"), "\(refused.errors)")
      #expect(try place.darkroom("exec", ["--app", "org.example.other", "--", "true"]).code == 0)
    }
  }

  @Test(arguments: Person.available)
  func `what fills the disk to the last block and name is handed over, complete`(person: Person) throws {
    try withSmallDisk(person) { place in
      #expect(try place.darkroom("quota", ["set", "--reserve", "0"]).code == 0)
      let script = """
        i=0; while true >/session/name-$i; do i=$((i+1)); test $((i%500)) -ne 0 || sleep 0.4; done
        while head -c 100000 /dev/zero >>/session/name-0; do :; done; sleep 0.5; true
        """
      let (record, result) = try exec(place, script)
      #expect(result.code == 0, "\(result.errors)")
      #expect(record["outcome"]?["kind"]?.string == "completed", "\(record["outcome"] ?? .null)")
      let count = record["content"]?["files"]?.integer ?? 0
      #expect(count > 1000)
      #expect((record["files"]?.elements ?? []).count == Int(count))
      let listed = try place.json(place.darkroom("content", ["list", Place.app, "--json"]).output)
      let content = try #require(listed["sessions"]?.elements?.first?["path"]?.string)
      #expect(try FileSystem.names(in: content).count == Int(count))
      #expect(try FileSystem.names(in: "\(place.root)/sessions") == [])
      // No session starts until there is free space.
      let refused = try place.darkroom("exec", ["--app", Place.app, "--", "true"])
      #expect(refused.code == 73, "\(refused.errors)")
      #expect(refused.errors.contains("remove some"), "\(refused.errors)")
      #expect(try place.darkroom("content", ["invalidate", Place.app, "--all"]).code == 0)
      #expect(try place.darkroom("recover", []).code == 0)
      #expect(try FileSystem.names(in: "\(place.root)/trash") == [])
      #expect(try place.darkroom("exec", ["--app", Place.app, "--", "true"]).code == 0)
    }
  }

  @Test(arguments: Person.available)
  func `much content is gone when the command ends, and its deletion goes on without it`(person: Person)
    throws
  {
    let place = try Place(person)
    let script = "i=0; while test $i -lt 4000; do true >/session/$i; i=$((i+1)); done"
    let (record, _) = try exec(place, script)
    #expect(record["content"]?["files"]?.integer == 4000)
    #expect(try place.darkroom("content", ["invalidate", Place.app, "--all"]).code == 0)
    let listed = try place.json(place.darkroom("content", ["list", Place.app, "--json"]).output)
    #expect(listed["sessions"]?.elements?.isEmpty == true)
    // A background process deletes the content without another command.
    try place.eventually { try place.names("trash").isEmpty }
    #expect(try place.names("trash") == [])
    #expect(try place.json(place.darkroom("ps", ["--json"]).output)["trash"]?.integer == 0)
    // The deleting process exits shortly after its last deletion.
    try place.waitForNoProcess()
    try place.expectNothingLeft()
  }
}
