// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the installed example extensions in the sandbox.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ExampleExtensionTests {
  /// A script with two presses and a dismissal.
  private static let presses = "wait 300ms\npress primary\nwait 1s\npress primary\nwait 1s\ndismiss\n"

  @Test(arguments: TestUser.available)
  func `Snapshot writes one picture for each press, from a pattern and from a photograph`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    try home.install()
    let pattern = try home.run(
      "snapshot",
      script: Self.presses,
      options: ["--camera", "pattern:320x240@30"]
    )
    #expect(pattern.command.code == 0, "\(pattern.command.errors)")
    #expect(pattern.files == ["photo-1.jpg", "photo-2.jpg"])
    try runShell("[ \"$(identify -format '%m %wx%h' '\(pattern.content)/photo-1.jpg')\" = 'JPEG 320x240' ]")

    let picture = home.programs.picture
    let still = try home.run("snapshot", script: Self.presses, options: ["--camera", picture])
    #expect(still.files == ["photo-1.jpg", "photo-2.jpg"])
    // A picture of a photograph equals the photograph within the loss of JPEG (PSNR).
    try runShell(
      """
      psnr=$(compare -metric PSNR '\(picture)' '\(still.content)/photo-1.jpg' null: 2>&1) || [ $? = 1 ]
      echo "$psnr"; [ "${psnr%%.*}" = inf ] || [ "${psnr%%.*}" -ge 28 ]
      """
    )
  }

  @Test(arguments: TestUser.available)
  func `FrameLogger logs each frame and writes one picture for each press`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let session = try home.run(
      "framelogger",
      script: Self.presses,
      options: ["--camera", "pattern:64x48@60"]
    )
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["frames.csv", "capture-1.pgm", "capture-2.pgm"])
    let rows = try session.text("frames.csv").split(separator: "\n")
    #expect(rows.count > 5)
    for name in ["capture-1.pgm", "capture-2.pgm"] {
      try runShell("[ \"$(identify -format '%m %wx%h' '\(session.content)/\(name)')\" = 'PGM 64x48' ]")
    }
    let consumed = try #require(session.record["frames"]?["consumed"]?.integer)
    #expect(consumed >= Int64(rows.count - 2))
  }

  @Test(arguments: TestUser.available) func `Notes writes one line for each press`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let session = try home.run("notes", script: Self.presses)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(try session.text("notes.txt").split(separator: "\n").count == 2)
  }

  @Test(arguments: TestUser.available)
  func `Timelapse writes every nth frame as configured in the app context`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let context = try home.darkroom("context", ["set", TestHome.app, #"{"every":10,"format":"pgm"}"#])
    #expect(context.code == 0, "\(context.errors)")
    let session = try home.run(
      "timelapse",
      script: "wait 1500ms\ndismiss\n",
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files.count >= 2)
    #expect(session.files.allSatisfy { $0.hasPrefix("frame-") && $0.hasSuffix(".pgm") })
    for name in session.files { try runShell("identify '\(session.content)/\(name)'") }
  }

  @Test(.enabled(if: TestPrograms.has("ffmpeg", "ffprobe")), arguments: TestUser.available)
  func `FFmpegRecorder finalizes its video on dismissal`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let script = "wait 1500ms\ndismiss\n"
    let session = try home.run(
      "ffmpegrecorder",
      script: script,
      options: ["--camera", "pattern:320x240@30"]
    )
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["recording.mkv"])
    let film = "\(session.content)/recording.mkv"
    // Matroska files have no duration until they are finalized.
    try runShell(
      """
      frames=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 '\(film)')
      duration=$(ffprobe -v error -show_entries format=duration -of csv=p=0 '\(film)')
      echo "$frames frames, $duration s"; [ "$frames" -ge 10 ] && [ "${duration%.*}" -ge 0 ]
      """
    )
  }

  @Test(arguments: TestUser.available)
  func `HostDemo shows a viewfinder frame, takes a picture, and prints the migrated file`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let demo = "\(home.programs.directory)/bin/darkroom-host-demo"
    let result = try home.start([demo, home.root, home.programs.snapshotBundle]).end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.text.contains("viewfinder: 320x240\n"), "\(result.text)")
    #expect(result.text.contains("the user dismissed the session"), "\(result.text)")
    let line = try #require(result.text.split(separator: "\n").last)
    let path = line.prefix { $0 != ":" }
    #expect(path.hasSuffix("/photo-1.jpg"), "\(result.text)")
    try runShell("[ \"$(identify -format '%m %wx%h' '\(path)')\" = 'JPEG 320x240' ]")
    let refused = try home.start([demo, home.root, "/nope"]).end()
    #expect(refused.code == 1 && refused.text.hasPrefix("/nope: cannot be read: "), "\(refused)")
    #expect(try home.start([demo]).end().code == 64)
  }

  @Test(arguments: TestUser.available)
  func `ViewfinderDemo shows frames as text, and dismisses the session after its deadline`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    let demo = "\(home.programs.directory)/bin/darkroom-viewfinder-demo"
    let result = try home.start([demo, home.root, home.programs.snapshotBundle]).end()
    #expect(result.code == 0, "\(result.errors)")
    // The brightest of the vertical bars is on the left, and the darkest on the right.
    let rows = result.text.split(separator: "\n").filter { $0.hasPrefix("#####*****+++++=====-----:::::") }
    #expect(rows.count >= 8, "\(result.text)")
    #expect(result.text.contains("the host received a signal to stop"), "\(result.text)")
    #expect(result.text.hasSuffix("the screen is locked\n"), "\(result.text)")
    #expect(try home.start([demo]).end().code == 64)
  }

  @Test(arguments: TestUser.available)
  func `the sample app imports the content of its extension`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let session = try home.run("snapshot", script: Self.presses, options: ["--camera", "pattern:64x48@30"])
    let bytes = try session.bytes("photo-1.jpg")
    let container = "\(home.root)/apps/\(TestHome.app)/container"
    let library = home.file("library")
    let result = try home.start(["\(home.programs.directory)/bin/darkroom-sample-app", container, library])
      .end()
    #expect(result.code == 0, "\(result.errors)")
    let id = FileSystem.lastComponent(session.content)
    #expect(try FileSystem.contents("\(library)/\(id)/photo-1.jpg") == bytes)
    #expect(try FileSystem.names(in: "\(container)/SessionContent") == [])
  }
}
