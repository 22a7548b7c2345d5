// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of settings that an app and its extension share in the app context.
@Suite(.timeLimit(.minutes(20)), .waiting) struct LookSettingsTests {
  private static let app = "org.darkroom.shapes"

  /// Runs the app's program.
  private func shapes(_ home: TestHome, _ arguments: String...) throws -> Command.Result {
    let program = "\(home.programs.directory)/bin/darkroom-shapes-app"
    return try home.start(
      ["/usr/bin/env", "DARKROOM_ROOT=\(home.root)", "DARKROOM_APP_ID=\(Self.app)", program] + arguments
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

  @Test(arguments: TestUser.available)
  func `app settings apply from the first picture, and the extension can change them for both`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    try home.install(home.programs.shapes("Settings"))
    try runShell("convert -size 64x48 xc:orange '\(home.file("orange.png"))'")
    try home.giveOwnership(home.file("orange.png"))
    #expect(try shapes(home, "grey").text == "off\n")
    #expect(try shapes(home, "grey", "on").code == 0)

    // The first press is as early as possible, when the settings must already apply.
    let session = try home.run(
      "settings",
      of: Self.app,
      script: "press\nwait 1s\npress secondary\nwait 1s\npress\nwait 1s\ndismiss\n",
      options: ["--camera", home.file("orange.png")]
    )
    #expect(session.files == ["picture-1.jpg", "picture-2.jpg"])
    #expect(try isGrey("\(session.content)/picture-1.jpg"))
    #expect(try !isGrey("\(session.content)/picture-2.jpg"))
    #expect(try shapes(home, "grey").text == "off\n")
  }
}
