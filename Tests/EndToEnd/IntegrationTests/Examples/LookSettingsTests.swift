// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of settings that an app and its extension share in the app context.
@Suite(.timeLimit(.minutes(20)), .waiting) struct LookSettingsTests {
  private static let app = "org.darkroom.shapes"

  /// Runs the app's program.
  private func shapes(_ place: Place, _ words: String...) throws -> Command.Result {
    let program = "\(place.programs.directory)/bin/darkroom-shapes-app"
    return try place.start(
      ["/usr/bin/env", "DARKROOM_ROOT=\(place.root)", "DARKROOM_APP_ID=\(Self.app)", program] + words
    ).end()
  }

  /// Returns whether a picture is gray: the maximum saturation of its pixels is below the noise of JPEG.
  private func isGrey(_ picture: String) throws -> Bool {
    let output = "\(picture).saturation"
    try runShell(
      "convert '\(picture)' -colorspace HSL -channel G -separate -format '%[fx:maxima]' info: >'\(output)'"
    )
    let text = String(decoding: try FileSystem.contents(output) ?? [], as: UTF8.self)
    return try #require(Double(text), "\(text)") < 0.1
  }

  @Test(arguments: Person.available)
  func `what the app has set holds from the first picture on, and the extension sets it back for both`(
    person: Person
  ) throws {
    let place = try Place(person)
    try place.install(place.programs.shapes("Settings"))
    try runShell("convert -size 64x48 xc:orange '\(place.file("orange.png"))'")
    try place.give(place.file("orange.png"))
    #expect(try shapes(place, "grey").text == "off\n")
    #expect(try shapes(place, "grey", "on").code == 0)

    // The first press is as early as possible, when the settings must already apply.
    let session = try place.run(
      "settings",
      of: Self.app,
      script: "press\nwait 1s\npress secondary\nwait 1s\npress\nwait 1s\ndismiss\n",
      options: ["--camera", place.file("orange.png")]
    )
    #expect(session.files == ["picture-1.jpg", "picture-2.jpg"])
    #expect(try isGrey("\(session.content)/picture-1.jpg"))
    #expect(try !isGrey("\(session.content)/picture-2.jpg"))
    #expect(try shapes(place, "grey").text == "off\n")
  }
}
