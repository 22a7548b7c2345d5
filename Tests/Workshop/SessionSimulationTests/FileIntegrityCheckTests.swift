// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionSimulation
import TestSupport
import Testing

/// Checks whether image and video files from other programs are complete.
@Suite struct FileIntegrityCheckTests {
  private static let mediaScript = """
    cd "$1"
    convert -size 64x48 plasma:red-blue photo.jpg && convert photo.jpg photo.png
    convert photo.jpg gray.pgm && convert photo.jpg colour.ppm && convert -depth 16 photo.jpg deep.pgm
    ffmpeg -loglevel error -loop 1 -i photo.jpg -frames:v 3 -pix_fmt yuv420p film.y4m
    printf '{"a": [1, 2, "three"]}\\n' >data.json
    """

  @Test func `finds no fault in a complete file and a fault in each truncated one`() throws {
    let scratch = try ScratchDirectory()
    try runShell("set -- '\(scratch.path)'\n\(Self.mediaScript)")
    for name in ["photo.jpg", "photo.png", "gray.pgm", "colour.ppm", "deep.pgm", "film.y4m", "data.json"] {
      let path = "\(scratch.path)/\(name)"
      #expect(FileIntegrityCheck.fault(of: path) == nil, "\(name)")
      #expect(FileIntegrityCheck.kind(of: name) == (name.hasSuffix("y4m") ? .video : .still))
      let bytes = try #require(try FileSystem.contents(path))
      for count in [0, bytes.count / 2, bytes.count - (name == "data.json" ? 3 : 2)] {
        let truncated = "\(scratch.path)/half-\(name)"
        try FileSystem.replaceContents(truncated, with: Array(bytes.prefix(count)))
        #expect(FileIntegrityCheck.fault(of: truncated)?.isEmpty == false, "\(count) bytes of \(name)")
      }
    }
  }

  @Test func `ignores other file types`() throws {
    let scratch = try ScratchDirectory()
    try FileSystem.replaceContents("\(scratch.path)/notes.txt", with: [])
    #expect(
      FileIntegrityCheck.kind(of: "notes.txt") == nil && FileIntegrityCheck.kind(of: "photo.jpg.part") == nil
    )
    #expect(FileIntegrityCheck.fault(of: "\(scratch.path)/notes.txt") == nil)
    #expect(FileIntegrityCheck.fault(of: "\(scratch.path)/nothing.jpg") == nil)
  }
}
