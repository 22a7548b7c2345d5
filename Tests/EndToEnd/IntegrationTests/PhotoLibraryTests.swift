// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the photo library with programs and the photos command.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PhotoLibraryTests {
  @Test(arguments: TestUser.available)
  func `an extension sees an empty photo library and cannot change it`(user: TestUser) throws {
    let script = """
      ls -A /library | wc -l
      (: >/library/new) 2>/dev/null && echo written
      mkdir /library/new 2>/dev/null && echo made
      rmdir /library 2>/dev/null && echo removed
      """
    let session = try TestHome(user).exec(["sh", "-c", script])
    #expect(session.command.text == "0\n", "\(session.command.errors)")
  }

  @Test(arguments: TestUser.available)
  func `an import that is killed at any time loses no asset and leaves no file behind`(user: TestUser) throws
  {
    let home = try TestHome(user)
    let library = home.file("library")
    let picture = try home.write("picture.jpg", String(repeating: "light", count: 100_000))
    for delay in stride(from: 0, through: 60_000, by: 3000) {
      let command = try home.startDarkroom(
        "photos",
        ["import", TestHome.app, picture, "--library", library]
      )
      usleep(UInt32(delay))
      command.signal(SIGKILL)
      _ = try command.end()
    }
    let list = try home.darkroom("photos", ["list", "--library", library, "--json"])
    try #require(list.code == 0, "\(list.errors)")
    let assets = try JSONNode.parse(list.output).value["assets"]?.elements ?? []
    for asset in assets {
      let path = try #require(asset["path"]?.string)
      #expect(try FileSystem.status(path)?.size == 500_000)
    }
    let verified = try home.darkroom("photos", ["verify", "--library", library, "--json"])
    #expect(verified.code == 0, "\(verified.text)\(verified.errors)")
    // The visible files match the index.
    if try FileSystem.status(library) != nil {
      #expect(try FileSystem.names(in: "\(library)/.darkroom/incoming") == [])
      let years = try FileSystem.names(in: library).filter { $0 != ".darkroom" }
      let files = try years.flatMap { year in
        try FileSystem.names(in: "\(library)/\(year)").flatMap { month in
          try FileSystem.names(in: "\(library)/\(year)/\(month)")
        }
      }
      #expect(files.count == assets.count)
    }
  }

  @Test func `a full disk leaves no partial assets, and deletion frees space`() throws {
    let home = try TestHome(TestUser.available[0])
    let picture = try home.write("picture.jpg", String(repeating: "light", count: 40_000))
    let script = """
      mount -t tmpfs -o size=1m none '\(home.file("disk"))'
      library='\(home.file("disk"))/library'
      photos() { '\(home.programs.darkroom)' photos "$@" --library "$library"; }
      failed=0
      for turn in 1 2 3 4 5 6 7 8; do
        photos import org.example.camera '\(picture)' >/dev/null 2>>'\(home.file("errors"))' || failed=$((failed + 1))
      done
      test "$failed" -gt 0 || exit 10
      test "$failed" -lt 8 || exit 11
      grep -q 'free some space' '\(home.file("errors"))' || exit 12
      photos verify || exit 13
      test "$(find "$library" -name '*.jpg' -size -200000c | wc -l)" -eq 0 || exit 14
      test "$(find "$library" -name '*.jpg' | wc -l)" -eq $((8 - failed)) || exit 15
      test -z "$(ls "$library/.darkroom/incoming")" || exit 16
      photos delete "$(photos list | sed -n '2s/ .*//p')" || exit 17
      photos import org.example.camera '\(picture)' || exit 18
      """
    try FileSystem.makeDirectory(home.file("disk"))
    let file = try home.write("full-disk.sh", script)
    // The small file system disappears with its mount namespace.
    let result = try home.start(["/usr/bin/unshare", "-Urm", "/bin/sh", file]).end()
    #expect(result.code == 0, "\(result.text)\(result.errors)")
  }
}
