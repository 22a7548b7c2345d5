// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A lock screen, as somebody sees it who stands in front of it.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Programs.has("sway", "swaymsg", "grim", "wtype")), .waiting)
struct LockScreenTests {
  /// The colours of the lock screen: what is behind all, the ring of the button, and the dots in each mood.
  private static let (background, ring, wrong) = (
    [0x10, 0x18, 0x20], [0xE0, 0xE0, 0xE0], [0xFF, 0x40, 0x40]
  )
  private static let (width, height) = (320, 240)

  private static func setPasscode(_ place: Place) throws {
    let answers = try place.write("answers", "1234\n")
    let set = try place.darkroom("passcode", ["set", "--passcode-fd", "0"], input: answers)
    try #require(set.code == 0, "\(set.errors)")
  }

  /// A locked screen with the sample app's camera in front of it.
  private struct Locked {
    let place: Place
    let compositor: Compositor
    private(set) var command: Command
    private var said: String

    /// Locks; the app is the sample, or another that is made with these files.
    init(_ person: Person, _ compositor: Compositor, app: [String: String] = [:]) throws {
      place = try Place(person)
      self.compositor = compositor
      for (name, text) in app {
        try FileSystem.makeDirectories(FileSystem.directoryName(place.file(name)), mode: 0o755)
        try place.write(name, text, mode: 0o755)
      }
      try place.install(app.isEmpty ? nil : place.file("App"))
      place.variables += compositor.variables
      try LockScreenTests.setPasscode(place)
      said = place.file("\(place.nextCommand).err")
      command = try Self.start(place)
      try awaitLock()
    }

    private static func start(_ place: Place) throws -> Command {
      try place.startDarkroom(
        "lock",
        [
          "screen", "--control", "\(Place.app).shutter", "--camera",
          "pattern:\(width)x\(height)@30",
        ]
      )
    }

    /// Locks again.
    mutating func startAgain() throws {
      said = place.file("\(place.nextCommand).err")
      command = try Self.start(place)
      try awaitLock()
    }

    private func awaitLock() throws {
      try command.wait { try text().contains("the screens are locked") }
      try #require(try state() == "locked")
    }

    /// What the command has said.
    func text() throws -> String { String(decoding: try FileSystem.contents(said) ?? [], as: UTF8.self) }

    /// What `darkroom lock` says.
    func state() throws -> String? {
      try place.json(try place.darkroom("lock", ["status", "--json"]).output)["state"]?.string
    }

    /// Waits until pixels of the screen have these colours.
    func awaitColours(
      _ wanted: [(column: Int, row: Int, colour: [Int])],
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      try command.wait(
        until: {
          let screen = try compositor.screen()
          return wanted.allSatisfy { pixel in
            zip(screen.colour(pixel.column, pixel.row), pixel.colour).allSatisfy { abs($0 - $1) <= 6 }
          }
        },
        sourceLocation: sourceLocation
      )
    }

    /// Waits until it waits for the person.
    func awaitFace() throws {
      try awaitColours([
        (3, 3, LockScreenTests.background), (LockScreenTests.width / 2, 192, LockScreenTests.ring),
      ])
    }

    /// Presses the button of the camera, until something has come of it.
    func pressCamera(until isSo: () throws -> Bool) throws {
      try command.wait {
        let (width, height) = (LockScreenTests.width, LockScreenTests.height)
        try compositor.click(width / 2, 192, width: width, height: height)
        return try TestPatience.comes(within: 3, isSo)
      }
    }

    /// Types until something has come of it: a keyboard that comes and goes can be gone before anybody knows it.
    func type(_ words: String..., until isSo: () throws -> Bool) throws {
      let isDone = try TestPatience.comes {
        try compositor.type(["-s", "300"] + words + ["-s", "300"])
        return try TestPatience.comes(within: 3, isSo)
      }
      #expect(isDone, "\(words)")
    }

    /// Whether the command has ended.
    func hasEnded() -> Bool {
      var status = siginfo_t()
      waitid(P_PID, id_t(command.process), &status, WEXITED | WNOHANG | WNOWAIT)
      return status.si_signo != 0
    }
  }

  @Test(.enabled(if: Compositor.canLock), arguments: Person.available)
  func `the camera works in front of the lock, and the right passcode alone opens it`(person: Person) throws {
    let locked = try Locked(person, try Compositor(width: Self.width, height: Self.height, locks: true))
    try locked.awaitFace()
    #expect(try locked.place.darkroom("permission", ["set", Place.app, "camera", "authorized"]).code == 0)
    try locked.pressCamera { try !locked.place.names("sessions").isEmpty }
    // White and black, the first and the last bar of the test pattern.
    try locked.awaitColours([(20, 60, ScreenshotTests.colours[0]), (300, 60, ScreenshotTests.colours[7])])
    let session = try #require(try locked.place.names("sessions").first)
    try locked.type("-k", "space") {
      try locked.place.names("sessions/\(session)/content").contains { $0.hasSuffix(".jpg") }
    }
    try locked.type("d") { try locked.place.names("sessions").isEmpty }
    try locked.awaitFace()
    // The key of a camera does what the button does; in a session, both are the shutter.
    try locked.type("-k", "XF86WebCam") { try !locked.place.names("sessions").isEmpty }
    try locked.awaitColours([(20, 60, ScreenshotTests.colours[0])])
    let second = try #require(try locked.place.names("sessions").first)
    try locked.pressCamera {
      try locked.place.names("sessions/\(second)/content").contains { $0.hasSuffix(".jpg") }
    }
    try locked.type("d") { try locked.place.names("sessions").isEmpty }
    try locked.awaitFace()
    #expect(try locked.state() == "locked" && !locked.hasEnded())

    try locked.type("0000", "-k", "Return") {
      let screen = try locked.compositor.screen()
      return screen.colour(Self.width / 2, Self.height * 2 / 5) == Self.wrong
    }
    #expect(try locked.state() == "locked" && !locked.hasEnded())
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    let result = try locked.command.end()
    #expect(result.code == 0, "\(result.errors)")
    #expect(try locked.state() == "unlocked")
    #expect(try locked.compositor.screen().colour(3, 3) != Self.background)
    try locked.place.expectNothingLeft()
  }

  @Test(.enabled(if: Compositor.canLock))
  func `an app that is to ask for the camera is opened after the passcode, and the screens with it`() throws {
    let reason = #""usageDescriptions": {"camera": "To see."}"#
    let compositor = try Compositor(width: Self.width, height: Self.height, locks: true)
    let locked = try Locked(
      Person.available[0],
      compositor,
      app: [
        "App/app.json": #"{"id": "\#(Place.app)", "name": "Asking", "open": ["/bin/sh", "-c", "sleep 1"],"#
          + #""controls": [{"id": "\#(Place.app).shutter", "title": "Shoot", "extension": "\#(Place.app).capture"}],"#
          + "\(reason)}",
        "App/Extensions/Capture/extension.json": #"{"id": "\#(Place.app).capture", "name": "Capture","#
          + #""executable": "capture.sh", "protocol": "1", \#(reason)}"#,
        "App/Extensions/Capture/capture.sh": "#!/bin/sh\n",
      ]
    )
    try locked.awaitFace()
    try locked.pressCamera {
      // The button is away while the person is asked.
      try locked.compositor.screen().colour(Self.width / 2, 192) == Self.background
    }
    #expect(try locked.state() == "locked")
    try locked.type("1234", "-k", "Return") { locked.hasEnded() }
    let result = try locked.command.end()
    #expect(result.code == 0 && result.text.contains("opened \(Place.app)"), "\(result.text)\(result.errors)")
    #expect(try locked.state() == "unlocked")
  }

  @Test(.enabled(if: Compositor.canLock))
  func `whoever kills the lock screen finds the screens locked, and it can be started again`() throws {
    var locked = try Locked(
      Person.available[0],
      try Compositor(width: Self.width, height: Self.height, locks: true)
    )
    try locked.awaitFace()
    let before = try locked.compositor.screen().colour(3, 3)
    // The program that shows it: another takes over.
    let helper = try #require(
      ProcessFacts(locked.command.process)?.children(of: locked.command.process).first
    )
    kill(helper, SIGKILL)
    try locked.command.wait { try locked.text().contains("the lock screen is shown again") }
    try locked.awaitFace()
    kill(locked.command.process, SIGKILL)
    _ = try locked.command.end()
    #expect(try locked.state() == "locked")
    try locked.startAgain()
    try locked.awaitFace()
    #expect(try locked.compositor.screen().colour(3, 3) == before)
    // Told to stop, it opens nothing.
    locked.command.signal(SIGTERM)
    let stopped = try locked.command.end()
    #expect(stopped.code == 75 && stopped.errors.contains("the screens stay locked"), "\(stopped.errors)")
    try locked.startAgain()
    let answers = locked.place.file("answers")
    #expect(try locked.place.darkroom("unlock", ["--passcode-fd", "0"], input: answers).code == 0)
    #expect(try locked.command.end().code == 0)
  }

  @Test(.enabled(if: !Compositor.canLock), arguments: Person.available)
  func `where the compositor cannot be locked nothing is, and it is said why`(person: Person) throws {
    let compositor = try Compositor(width: 64, height: 64)
    let place = try Place(person)
    place.variables += compositor.variables
    try Self.setPasscode(place)
    let result = try place.darkroom("lock", ["screen"])
    #expect(
      result.code == 69 && result.errors.contains("has no ext_session_lock_manager_v1"),
      "\(result.errors)"
    )
    #expect(result.errors.contains("nothing was locked"))
    let status = try place.json(try place.darkroom("lock", ["status", "--json"]).output)
    #expect(status["state"]?.string == "unlocked")
  }

  @Test(arguments: Person.available)
  func `without a compositor, a control or a passcode nothing is locked`(person: Person) throws {
    let place = try Place(person)
    // A lock that nobody could open.
    let words = ["configure", "--authenticator", "passcode"]
    #expect(try place.darkroom("lock", words).code == 0)
    let closed = try place.darkroom("lock", ["screen"])
    #expect(closed.code == 69 && closed.errors.contains("nobody could open it again: no passcode is set"))
    try Self.setPasscode(place)
    let nowhere = try place.darkroom("lock", ["screen"])
    #expect(nowhere.code == 69 && nowhere.errors.contains("WAYLAND_DISPLAY is not set"), "\(nowhere.errors)")
    let unknown = try place.darkroom("lock", ["screen", "--control", "nothing"])
    #expect(unknown.code == 66, "\(unknown.errors)")
    let status = try place.json(try place.darkroom("lock", ["status", "--json"]).output)
    #expect(status["state"]?.string == "unlocked")
  }
}
