// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of camera controls of sandboxed extensions that a script adjusts.
@Suite(.timeLimit(.minutes(20)), .waiting) struct CameraControlSessionTests {
  /// Adjustments by the user, some of which are invalid.
  private static let script = """
    wait 1s
    controls active
    wait 200ms
    adjust zoom to 2.6
    adjust zoom to 99
    adjust zoom by 2
    wait 200ms
    select filter Very warm
    wait 200ms
    controls fullscreen
    wait 200ms
    adjust zoom to 4
    wait 300ms
    select filter None
    controls inactive
    wait 300ms
    press
    wait 500ms
    dismiss

    """

  @Test(arguments: TestUser.available)
  func `a script adjusts the camera, and the extension is notified on its queues`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let session = try home.run(
      "controls",
      script: Self.script,
      options: ["--camera", "pattern:320x240@30"]
    )
    let errors = session.command.errors
    #expect(session.command.code == 0, "\(errors)")
    // Notifications on the author's queue arrive at any time, the others in the order of the script.
    let notes = try session.text("notes").split(separator: "\n").map(String.init)
    #expect(
      notes.filter { $0 != "filter 2" }
        == ["active", "zoom 2.5", "zoom 3.5", "enter", "zoom 4.0", "exit", "inactive", "is 4.0 2"]
    )
    #expect(notes.filter { $0 == "filter 2" }.count == 1)
    #expect(errors.contains("[info] controls 2 of 4, true"), "\(errors)")
    #expect(
      errors.contains(
        "[notice] camera controls: Zoom (zoom) is 1× of 1× to 5×; Filter (filter) is None of None, Mono, Very warm"
      )
    )
    #expect(errors.contains("[notice] Zoom: 2.5×\n[notice] Zoom does not have this value, only 1× to 5×"))
    #expect(errors.contains("[notice] Filter cannot be adjusted now"))
    #expect(
      session.record["cameraControls"] == [
        ["id": "zoom", "kind": "slider", "title": "Zoom", "value": 4, "shown": "4×"],
        ["id": "filter", "kind": "picker", "title": "Filter", "value": 2, "shown": "Very warm"],
      ]
    )
  }

  @Test(
    arguments: TestUser.available,
    [
      (
        "5",
        "there are 5 camera controls, but the host shows at most 4; declare fewer; no control was changed"
      ),
      (
        "reversed",
        "control 0: the range from 5.0 to 1.0 is empty or too large; begin with the smaller bound; no control was changed"
      ),
      ("outside", "control 0: the value 9.0 is not a value of the control; no control was changed"),
      (
        "escape",
        "control 0: the title has control characters or characters that change the text direction; remove them; "
          + "no control was changed"
      ),
    ]
  )
  func `refuses invalid camera controls, and the session continues`(
    user: TestUser,
    order: (name: String, sentence: String)
  ) throws {
    let session = try runMisbehaving("controls=\(order.name) controls=1 leave=file dismiss", user)
    let errors = session.command.errors
    #expect(session.command.code == 0, "\(errors)")
    #expect(
      errors.contains(#"controls=\#(order.name): {"code":4019,"message":"\#(order.sentence)"}"#),
      "\(errors)"
    )
    #expect(errors.contains("[notice] camera controls: C (c0) is a of a\n"), "\(errors)")
    #expect(errors.utf8.allSatisfy { $0 != 0x1B })
    #expect(session.files == ["file"])
  }

  @Test(
    arguments: TestUser.available,
    [
      ("1000000", "a line is longer than 65536 bytes"), ("nan", "the line is not valid JSON"),
      ("type", #"the field "params.controls[0].kind" is "dial""#),
    ]
  )
  func `a malformed declaration of controls ends the session, and content is kept`(
    user: TestUser,
    order: (name: String, sentence: String)
  ) throws {
    let session = try runMisbehaving("leave=file controls=\(order.name)", user)
    #expect(session.outcome == "protocolViolation")
    let sentence = session.record["outcome"]?["sentence"]?.string ?? ""
    #expect(sentence.contains(order.sentence), "\(session.record["outcome"] ?? .null)")
    #expect(session.files == ["file"])
  }

  /// Runs the misbehaving extension with the given commands.
  private func runMisbehaving(_ orders: String, _ user: TestUser) throws -> TestHome.Session {
    let home = try TestHome(user)
    try home.install()
    let context = try home.darkroom("context", ["set", TestHome.app, "\"\(orders)\""])
    try #require(context.code == 0, "\(context.errors)")
    return try home.run("misbehaving", script: "wait 60s\ndismiss\n")
  }
}
