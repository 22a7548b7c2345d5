// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the photo library with programs and the photos command.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PhotoLibraryTests {
  @Test(arguments: Person.available)
  func `an extension finds its library, and can change nothing there`(person: Person) throws {
    let script = """
      ls -A /library | wc -l
      (: >/library/new) 2>/dev/null && echo written
      mkdir /library/new 2>/dev/null && echo made
      rmdir /library 2>/dev/null && echo removed
      """
    let session = try Place(person).exec(["sh", "-c", script])
    #expect(session.command.text == "0\n", "\(session.command.errors)")
  }

  @Test(arguments: Person.available)
  func `an import that is killed at any moment loses nothing and leaves nothing behind`(person: Person) throws
  {
    let place = try Place(person)
    let library = place.file("library")
    let picture = try place.write("picture.jpg", String(repeating: "light", count: 100_000))
    for delay in stride(from: 0, through: 60_000, by: 3000) {
      let command = try place.startDarkroom(
        "photos",
        ["import", Place.app, picture, "--library", library]
      )
      usleep(UInt32(delay))
      command.signal(SIGKILL)
      _ = try command.end()
    }
    let list = try place.darkroom("photos", ["list", "--library", library, "--json"])
    try #require(list.code == 0, "\(list.errors)")
    let assets = try JSONNode.parse(list.output).value["assets"]?.elements ?? []
    for asset in assets {
      let path = try #require(asset["path"]?.string)
      #expect(try FileSystem.status(path)?.size == 500_000)
    }
    let verified = try place.darkroom("photos", ["verify", "--library", library, "--json"])
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

  @Test func `on a full disk nothing is half there, and what is deleted makes room`() throws {
    let place = try Place(Person.available[0])
    let picture = try place.write("picture.jpg", String(repeating: "light", count: 40_000))
    let script = """
      mount -t tmpfs -o size=1m none '\(place.file("disk"))'
      library='\(place.file("disk"))/library'
      photos() { '\(place.programs.darkroom)' photos "$@" --library "$library"; }
      failed=0
      for turn in 1 2 3 4 5 6 7 8; do
        photos import org.example.camera '\(picture)' >/dev/null 2>>'\(place.file("errors"))' || failed=$((failed + 1))
      done
      test "$failed" -gt 0 || exit 10
      test "$failed" -lt 8 || exit 11
      grep -q 'free some space' '\(place.file("errors"))' || exit 12
      photos verify || exit 13
      test "$(find "$library" -name '*.jpg' -size -200000c | wc -l)" -eq 0 || exit 14
      test "$(find "$library" -name '*.jpg' | wc -l)" -eq $((8 - failed)) || exit 15
      test -z "$(ls "$library/.darkroom/incoming")" || exit 16
      photos delete "$(photos list | sed -n '2s/ .*//p')" || exit 17
      photos import org.example.camera '\(picture)' || exit 18
      """
    try FileSystem.makeDirectory(place.file("disk"))
    let file = try place.write("full-disk.sh", script)
    // The small file system disappears with its mount namespace.
    let result = try place.start(["/usr/bin/unshare", "-Urm", "/bin/sh", file]).end()
    #expect(result.code == 0, "\(result.text)\(result.errors)")
  }
}
