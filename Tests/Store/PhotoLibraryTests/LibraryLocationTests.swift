// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import PhotoLibrary

/// The location of a user's photo library.
@Suite struct LibraryLocationTests {
  @Test(arguments: [
    ("XDG_PICTURES_DIR=\"$HOME/Bilder\"\n", "/home/ada/Bilder"),
    ("# a comment\nXDG_MUSIC_DIR=\"$HOME/Music\"\n  XDG_PICTURES_DIR=\"/srv/pictures/\"", "/srv/pictures"),
    ("XDG_PICTURES_DIR=\"$HOME/My \\\"best\\\" ones\"", "/home/ada/My \"best\" ones"),
    ("XDG_PICTURES_DIR=\"$HOME/\"", nil), ("XDG_PICTURES_DIR=\"relative\"", nil),
    ("XDG_PICTURES_DIR=\"", nil), ("", nil),
  ])
  func `parses the pictures directory from user-dirs configuration`(_ text: String, _ path: String?) {
    #expect(UserDirectories.pictures(text, home: "/home/ada") == path)
  }

  @Test func `resolves the library by option, then by variable, then in the pictures directory`() throws {
    let directory = "/tmp/darkroom-place-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(directory)/.config")
    defer { try? FileSystem.removeTree(directory) }
    var variables = ["HOME": directory]
    func location(_ option: String?) throws -> String {
      try LibraryLocation.resolve(option: option) { variables[$0] }.path
    }
    #expect(try location(nil) == "\(directory)/Pictures/Darkroom")
    try FileSystem.open("\(directory)/.config/user-dirs.dirs", [.write, .create])
      .writeAll(Array("XDG_PICTURES_DIR=\"$HOME/Bilder\"\n".utf8))
    #expect(try location(nil) == "\(directory)/Bilder/Darkroom")
    variables["DARKROOM_LIBRARY"] = "/srv/library"
    #expect(try location(nil) == "/srv/library")
    #expect(try location("/else/where") == "/else/where")
    variables = [:]
    #expect(throws: PhotoLibraryError.noLocation) { try location(nil) }
  }
}
