// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// `darkroom camera` without a camera. CameraRigTests uses cameras.
@Suite(.timeLimit(.minutes(20)), .waiting) struct CameraCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// Runs `camera capture` in a separate process, which can receive signals.
  private func capture(_ words: String, code: Int = 0) throws -> String {
    let out = "\(fixture.directory)/out"
    try runShell(
      """
      code=0
      '\(BuiltProgram.path)' camera capture \(words) >'\(out)' 2>&1 || code=$?
      [ $code = \(code) ] || { cat '\(out)'; false; }
      """
    )
    return String(decoding: try #require(try FileSystem.contents(out)), as: UTF8.self)
  }

  @Test func `a captured image and a captured video have the reported format and size`() throws {
    let (image, video) = ("\(fixture.directory)/a.jpg", "\(fixture.directory)/a.y4m")
    let said = try capture("pattern:64x48@50 '\(image)' --frames 2 --json")
    let jpeg = try #require(try FileSystem.contents(image))
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
    let expected: JSONValue = [
      "file": .string(image), "bytes": .integer(Int64(jpeg.count)), "frames": 2, "width": 64, "height": 48,
      "frameRate": [50, 1],
    ]
    #expect(try JSONNode.parse(said).value == expected)
    let words = try capture("pattern:64x48@50 '\(video)' --frames 3")
    #expect(words.contains("64x48, 50 frames/s, 3 frames, "), "\(words)")
    let bytes = try #require(try FileSystem.contents(video))
    let head = try #require(bytes.firstIndex(of: 10)) + 1
    #expect(bytes.starts(with: Array("YUV4MPEG2 W64 H48 F50:1".utf8)))
    #expect(bytes.count == head + 3 * (6 + 64 * 48 * 3 / 2))
  }

  @Test func `writes a lossless image with odd dimensions if the file name ends with PNG`() throws {
    let image = "\(fixture.directory)/a.PNG"
    _ = try capture("pattern:321x241 '\(image)' --frames 1")
    let file = try #require(try FileSystem.contents(image))
    #expect(file.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // The width and the height in 4 bytes each.
    #expect(file.dropFirst(16).prefix(8) == [0, 0, 1, 65, 0, 0, 0, 241])
  }

  @Test func `a signal stops a capture and leaves no partial video`() throws {
    let video = "\(fixture.directory)/a.y4m"
    try runShell(
      """
      '\(BuiltProgram.path)' camera capture pattern:64x48 '\(video)' --frames 1000000 2>/dev/null &
      until ls -A '\(fixture.directory)' | grep -q y4m; do sleep 0.02; done
      kill -TERM $!
      code=0
      wait $! || code=$?
      [ $code = 75 ]
      """
    )
    #expect(try FileSystem.names(in: fixture.directory).filter { $0.contains("y4m") } == [])
  }

  @Test func `an impossible capture fails with its exit code and a fix`() throws {
    let missing = try capture("/dev/video99 '\(fixture.directory)/a.jpg'", code: 66)
    #expect(missing.contains("/dev/video99: the device does not exist; 'darkroom camera list'"), "\(missing)")
    let odd = try capture("/dev/video99:640 '\(fixture.directory)/a.jpg'", code: 64)
    #expect(odd.contains("DEVICE:1280x720@30"), "\(odd)")
    let pattern = try capture("pattern:640x480@0 '\(fixture.directory)/a.jpg'", code: 64)
    #expect(pattern.contains("the rate must be between"), "\(pattern)")
    let name = try fixture.run("camera", "capture", "pattern", "a.gif")
    #expect(
      name.code == 64 && name.errorOutput.contains("ends with .jpg, .png or .y4m"),
      "\(name.errorOutput)"
    )
    let controls = try fixture.run("camera", "capture", "pattern", "a.jpg", "--set", "zoom=1")
    #expect(
      controls.code == 64 && controls.errorOutput.contains("--set requires a camera device"),
      "\(controls.errorOutput)"
    )
  }

  @Test func `camera show rejects paths that are not cameras`() throws {
    let missing = try fixture.run("camera", "show", "/dev/video99")
    #expect(
      missing.code == 66 && missing.errorOutput.contains("the device does not exist"),
      "\(missing.errorOutput)"
    )
    for path in ["/dev/null", "/dev"] {
      let other = try fixture.run("camera", "show", path)
      #expect(
        other.code == 66 && other.errorOutput.contains("does not capture video"),
        "\(other.errorOutput)"
      )
    }
    let list = try fixture.run("camera", "list", "--json")
    #expect(try list.code == 0 && list.json["cameras"]?.elements != nil)
  }

  @Test(arguments: ["\u{1B}]0;title\u{7}", "a\u{9B}31m", "a\rb", "a\u{202E}b"])
  func `device names cannot inject terminal control sequences`(name: String) throws {
    let result = try fixture.run("camera", "show", name)
    #expect(
      result.code == 66 && result.errorOutput.contains("the device does not exist"),
      "\(result.errorOutput)"
    )
    let kinds = result.errorOutput.dropLast().unicodeScalars.map(\.properties.generalCategory)
    #expect(!kinds.contains(.control) && !kinds.contains(.format), "\(result.errorOutput)")
  }
}
