// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sessions on file systems of a few megabytes without free space.
@Suite(.timeLimit(.minutes(20)), .serialized, .waitingSerially) struct StorageSpaceTests {
  private func exec(_ home: TestHome, _ script: String, _ options: [String] = []) throws -> (
    record: JSONValue, result: Command.Result
  ) {
    let arguments = ["--app", TestHome.app, "--record", home.file("record.json")] + options
    let result = try home.darkroom("exec", arguments + ["--", "sh", "-c", script])
    let bytes = try #require(try? FileSystem.contents(home.file("record.json")), "\(result.errors)")
    return (try home.json(bytes), result)
  }

  @Test(arguments: TestUser.available)
  func `writes fail at the disk reserve and succeed again after a deletion`(
    user: TestUser
  ) throws {
    try withSmallDisk(user) { home in
      #expect(try home.darkroom("quota", ["set", "--reserve", "4MiB"]).code == 0)
      let script = """
        i=0; while head -c 200000 /dev/zero >/session/$i; do i=$((i+1)); sleep 0.01; done
        echo "stopped at $i"
        rm -f /session/[0-9]*; i=0; until head -c 100000 /dev/zero >/session/after; do
          sleep 0.1; i=$((i+1)); test $i -lt 1800 || exit 9; done
        """
      let (record, result) = try exec(home, script)
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.text.contains("stopped at"))
      #expect(result.errors.contains("File too large"), "\(result.errors)")
      let files = (record["files"]?.elements ?? []).compactMap { $0["path"]?.string }
      #expect(files.contains("after"))
      let free = try FileSystem.freeSpace(home.root)
      #expect(free >= 2 << 20)
    }
  }

  @Test(.enabled(if: NamespaceRefusal.isAvailable))
  func `in a restricted session, writes fail at the quota and succeed again after a deletion`() throws {
    let home = try TestHome(.regular)
    home.confinementPrefix = NamespaceRefusal.commandPrefix
    let policy =
      #"{"name":"loose","extends":"capture",\#(NamespaceRefusal.permission),"limits":{"sessionBytes":"2MiB"}}"#
    let script = """
      cd "$DARKROOM_SESSION_DIR"
      i=0; while head -c 200000 /dev/zero >$i; do i=$((i+1)); sleep 0.05; done
      echo "stopped at $i"
      rm -f *; i=0; until head -c 100000 /dev/zero >after; do
        sleep 0.1; i=$((i+1)); test $i -lt 1800 || exit 9; done
      """
    let options = ["--policy", try home.write("loose.json", policy)]
    let session = try home.exec(["sh", "-c", script], options: options)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.command.text.contains("stopped at"))
    #expect(session.command.errors.contains("this session runs restricted"), "\(session.command.errors)")
    #expect(session.command.errors.contains("File too large"), "\(session.command.errors)")
    #expect(session.files == ["after"])
    #expect(try session.bytes("after").count == 100_000)
  }

  @Test(arguments: TestUser.available, ["app", "policy"])
  func `keeps the largest of the reserves of the configuration, the app and the policy`(
    user: TestUser,
    source: String
  ) throws {
    try withSmallDisk(user) { home in
      #expect(try home.darkroom("quota", ["set", "--reserve", "1MiB"]).code == 0)
      var options: [String] = []
      if source == "app" {
        #expect(try home.darkroom("quota", ["set", "--app", TestHome.app, "--reserve", "10MiB"]).code == 0)
      } else {
        let policy = #"{"name": "kept", "extends": "capture", "limits": {"freeReserve": "10MiB"}}"#
        options = ["--policy", try home.write("kept.json", policy)]
      }
      let script = """
        i=0; while head -c 200000 /dev/zero >/session/$i; do i=$((i+1)); sleep 0.01; done
        echo "stopped at $i"
        """
      let (record, result) = try exec(home, script, options)
      #expect(record["outcome"]?["kind"]?.string == "completed", "\(record["outcome"] ?? .null)")
      #expect(result.text.contains("stopped at"))
      #expect(result.errors.contains("File too large"), "\(result.errors)")
      #expect(try FileSystem.freeSpace(home.root) >= 5 << 20)
      guard source == "app" else { return }
      #expect(try home.darkroom("quota", ["set", "--app", TestHome.app, "--reserve", "16MiB"]).code == 0)
      let refused = try home.darkroom("exec", ["--app", TestHome.app, "--", "true"])
      #expect(refused.code == 73, "\(refused.errors)")
      #expect(refused.errors.contains("(the setting of the app)"), "\(refused.errors)")
      #expect(try home.darkroom("exec", ["--app", "org.example.other", "--", "true"]).code == 0)
    }
  }

  @Test(arguments: TestUser.available)
  func `migrates all content if the disk has no free block and no free inode`(user: TestUser) throws {
    try withSmallDisk(user) { home in
      #expect(try home.darkroom("quota", ["set", "--reserve", "0"]).code == 0)
      let script = """
        i=0; while true >/session/name-$i; do i=$((i+1)); test $((i%500)) -ne 0 || sleep 0.4; done
        while head -c 100000 /dev/zero >>/session/name-0; do :; done; sleep 0.5; true
        """
      let (record, result) = try exec(home, script)
      #expect(result.code == 0, "\(result.errors)")
      #expect(record["outcome"]?["kind"]?.string == "completed", "\(record["outcome"] ?? .null)")
      let count = record["content"]?["files"]?.integer ?? 0
      #expect(count > 1000)
      #expect((record["files"]?.elements ?? []).count == Int(count))
      let listed = try home.json(home.darkroom("content", ["list", TestHome.app, "--json"]).output)
      let content = try #require(listed["sessions"]?.elements?.first?["path"]?.string)
      #expect(try FileSystem.names(in: content).count == Int(count))
      #expect(try FileSystem.names(in: "\(home.root)/sessions") == [])
      // No session starts until there is free space.
      let refused = try home.darkroom("exec", ["--app", TestHome.app, "--", "true"])
      #expect(refused.code == 73, "\(refused.errors)")
      #expect(refused.errors.contains("remove files"), "\(refused.errors)")
      #expect(try home.darkroom("content", ["invalidate", TestHome.app, "--all"]).code == 0)
      #expect(try home.darkroom("recover", []).code == 0)
      #expect(try FileSystem.names(in: "\(home.root)/trash") == [])
      #expect(try home.darkroom("exec", ["--app", TestHome.app, "--", "true"]).code == 0)
    }
  }

  @Test(arguments: TestUser.available)
  func `deletes much content in the background after the command exits`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let script = "i=0; while test $i -lt 4000; do true >/session/$i; i=$((i+1)); done"
    let (record, _) = try exec(home, script)
    #expect(record["content"]?["files"]?.integer == 4000)
    #expect(try home.darkroom("content", ["invalidate", TestHome.app, "--all"]).code == 0)
    let listed = try home.json(home.darkroom("content", ["list", TestHome.app, "--json"]).output)
    #expect(listed["sessions"]?.elements?.isEmpty == true)
    // A background process deletes the content without another command.
    try home.eventually { try home.names("trash").isEmpty }
    #expect(try home.names("trash") == [])
    #expect(try home.json(home.darkroom("ps", ["--json"]).output)["trash"]?.integer == 0)
    // The deleting process exits shortly after its last deletion.
    try home.waitForNoProcess()
    try home.expectNothingLeft()
  }
}
