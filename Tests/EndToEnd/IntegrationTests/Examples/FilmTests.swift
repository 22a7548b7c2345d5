// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests that a video is finalized if its session ends during the recording.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("ffprobe")), .waiting) struct FilmTests {
  private static let app = "org.darkroom.shapes"

  /// Checks that a video has as many frames as its JSON file states, by its size and by ffprobe.
  private func expectComplete(_ name: String, _ session: TestHome.Session) throws {
    let metadata = try JSONNode.parse(try session.bytes("\(name).json")).value
    let frames = try #require(metadata["frames"]?.integer)
    #expect(frames > 0)
    let header = "YUV4MPEG2 W64 H48 F30:1 Ip C420jpeg\n"
    let film = try session.bytes("\(name).y4m")
    #expect(film.starts(with: header.utf8))
    #expect(film.count == header.utf8.count + Int(frames) * ("FRAME\n".utf8.count + 64 * 48 * 3 / 2))
    try runShell(
      """
      counted=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 \\
        '\(session.content)/\(name).y4m')
      echo "$counted"; [ "$counted" = \(frames) ]
      """
    )
  }

  @Test(arguments: TestUser.available)
  func `a video is finalized if the session is dismissed during the recording`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install(home.programs.shapes("Film"))
    let session = try home.run(
      "film",
      of: Self.app,
      script: "wait 200ms\npress\nwait 900ms\ndismiss\n",
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(session.outcome == "dismissed", "\(session.record)")
    #expect(session.files == ["film-1.y4m", "film-1.json"])
    try expectComplete("film-1", session)
  }

  @Test func `a second press stops the recording, and a third starts another video`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install(home.programs.shapes("Film"))
    let session = try home.run(
      "film",
      of: Self.app,
      script:
        "wait 200ms\npress\nwait 500ms\npress\nwait 200ms\npress\nwait 500ms\npress\nwait 300ms\ndismiss\n",
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(session.outcome == "dismissed", "\(session.record)")
    #expect(session.files == ["film-1.y4m", "film-1.json", "film-2.y4m", "film-2.json"])
    try expectComplete("film-1", session)
    try expectComplete("film-2", session)
  }
}
