// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// What `darkroom init` makes builds and runs at once.
@Suite(.timeLimit(.minutes(20)), .waiting) struct TemplateTests {
  /// The languages, and how the names of the pictures end.
  private static let languages = [("c", "pgm"), ("python", "pgm"), ("shell", "pgm"), ("swift", "jpg")]

  @Test(arguments: languages, Person.available)
  func `the commands of the new app's README do what it says, and its own test passes`(
    language: (name: String, suffix: String),
    person: Person
  ) throws {
    let app = try NewApp(person, language.name)
    let result = try app.shell(try app.documentedCommands())
    #expect(result.code == 0, "\(result.text)\(result.errors)")
    #expect(result.text.contains("\ntest: passed\n"), "\(result.text)")
    // Two sessions of two pictures: one from the command line, one from the lock screen.
    let sessions = try FileSystem.names(in: app.library).filter { !$0.hasPrefix(".") }
    #expect(sessions.count == 2)
    for session in sessions {
      let pictures = try FileSystem.names(in: "\(app.library)/\(session)").sorted()
      #expect(pictures == ["photo-1.\(language.suffix)", "photo-2.\(language.suffix)"])
      for picture in pictures { try runShell("identify '\(app.library)/\(session)/\(picture)'") }
    }
    let root = app.place.file(".local/state/darkroom")
    #expect(try FileSystem.names(in: "\(root)/apps/\(NewApp.id)/container/SessionContent") == [])
    #expect(try app.place.processes() == [])
  }

  @Test(arguments: languages, Person.available)
  func `its pictures and its viewfinder show what the camera sees, and the app that is opened takes them in`(
    language: (name: String, suffix: String),
    person: Person
  ) throws {
    let app = try NewApp(person, language.name)
    let place = app.place
    try app.install()
    // Rows of an odd length, after which there are others in memory than in the picture.
    let (scene, film) = (place.file("scene.png"), place.file("film.y4m"))
    try runShell("convert '\(place.programs.picture)' -resize '101x67!' '\(scene)' && chmod 0644 '\(scene)'")
    let session = try place.run(
      "capture",
      of: NewApp.id,
      script: "wait 500ms\npress primary\nwait 1s\npress secondary\nwait 1s\ndismiss\n",
      options: ["--camera", scene, "--preview", film]
    )
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.outcome == "dismissed")
    #expect(session.files == ["photo-1.\(language.suffix)"])
    #expect(session.command.text.contains("\nshown     "), "\(session.command.text)")
    try runShell(
      """
      cd '\(place.directory)'
      expect_alike() {
        psnr=$(compare -metric PSNR "$1" "$2" null: 2>&1) || [ $? = 1 ]
        echo "$2: $psnr"; [ "${psnr%%.*}" = inf ] || [ "${psnr%%.*}" -ge 28 ]
      }
      cp scene.png expected.png
      if [ \(language.suffix) = pgm ]; then convert scene.png -colorspace Gray expected.png; fi
      expect_alike expected.png '\(session.content)/photo-1.\(language.suffix)'
      ffmpeg -loglevel error -i film.y4m -frames:v 1 viewfinder.png
      expect_alike scene.png viewfinder.png
      """
    )
    let id = FileSystem.lastComponent(session.content)
    let bytes = try session.bytes("photo-1.\(language.suffix)")
    let press = try app.shell(
      "darkroom control press \(NewApp.id)/shutter --from elsewhere",
      root: place.root
    )
    #expect(press.code == 0, "\(press.errors)")
    try waitUntilTaken(app)
    #expect(try FileSystem.contents("\(app.library)/\(id)/photo-1.\(language.suffix)") == bytes)
  }

  @Test(arguments: languages.map(\.0))
  func `it hears that it is dismissed, also while it waits for its first frame`(language: String) throws {
    let app = try NewApp(.ordinary, language)
    try app.install()
    // A shorter grace than the time for which a template waits for a frame.
    let result = try app.shell("darkroom test bundle --only stalled --grace 3s")
    #expect(result.code == 0, "\(result.text)\(result.errors)")
  }

  @Test func `nothing has to be added for the watchdog, in any language`() throws {
    let apps = try Self.languages.map { try NewApp(.ordinary, $0.0) }
    // All at once: they do nothing but wait.
    let sessions = try apps.map { app in
      try app.install()
      let script = try app.place.write("script", "wait 5500ms\npress primary\nwait 1s\ndismiss\n")
      let words = ["--watchdog", "5s", "--camera", "pattern:64x48@30", "--script", script]
      return try app.place.startDarkroom("run", words + ["\(NewApp.id).capture"])
    }
    for (app, session) in zip(apps, sessions) {
      let result = try session.end()
      #expect(result.code == 0, "\(app.language): \(result.errors)")
      #expect(result.text.contains("photo-1."), "\(app.language): \(result.text)")
      // The viewfinder is there, but nobody has seen it.
      #expect(!result.text.contains("\nshown "), "\(app.language): \(result.text)")
    }
  }

  /// Waits until the app that the host has opened has taken in what waited for it, and has ended.
  private func waitUntilTaken(_ app: NewApp) throws {
    let container = "apps/\(NewApp.id)/container"
    let isTaken = try TestPatience.comes {
      let waiting = try ["SessionContent", "Activities"].flatMap { try app.place.names("\(container)/\($0)") }
      return try waiting.filter { !$0.hasPrefix(".") }.isEmpty && app.place.processes().isEmpty
    }
    guard !isTaken else { return }
    let log = try FileSystem.contents("\(app.place.root)/apps/\(NewApp.id)/open.log") ?? []
    Issue.record("the app has not taken in what waits: \(String(decoding: log, as: UTF8.self))")
  }
}
