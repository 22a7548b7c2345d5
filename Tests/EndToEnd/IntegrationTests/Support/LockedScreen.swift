// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A locked screen with the camera control of the sample app.
struct LockedScreen {
  /// The colors of the background, the ring of the button, the dots after a wrong answer, and the frame of an
  /// extension's picture.
  static let (background, ring, wrong, frame) = (
    [0x10, 0x18, 0x20], [0xE0, 0xE0, 0xE0], [0xFF, 0x40, 0x40], [0x30, 0xD1, 0x58]
  )
  /// The size of the screen in pixels.
  static let (width, height) = (320, 240)

  let place: Place
  let compositor: Compositor
  private(set) var command: Command
  private var said: String

  /// Locks the screen after `prepare`. `app` are the files of an app that replaces the sample, by path.
  /// `programs` are the built programs to add to the app, by path.
  init(
    _ person: Person,
    _ compositor: Compositor,
    app: [String: String] = [:],
    programs: [String: String] = [:],
    prepare: (Place) throws -> Void = { _ in }
  ) throws {
    place = try Place(person)
    self.compositor = compositor
    for (name, text) in app {
      try FileSystem.makeDirectories(FileSystem.directoryName(place.file(name)), mode: 0o755)
      try place.write(name, text, mode: 0o755)
    }
    for (name, program) in programs {
      let bytes = try FileSystem.contents("\(place.programs.directory)/bin/\(program)")
      try FileSystem.replaceContents(place.file(name), with: try #require(bytes), mode: 0o755)
    }
    try place.install(app.isEmpty ? nil : place.file("App"))
    place.variables += compositor.variables
    try Self.setPasscode(place)
    try prepare(place)
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

  /// Locks the screen again.
  mutating func startAgain() throws {
    said = place.file("\(place.nextCommand).err")
    command = try Self.start(place)
    try awaitLock()
  }

  private func awaitLock() throws {
    try command.wait { try text().contains("the screens are locked") }
    try #require(try state() == "locked")
  }

  /// Returns the standard error of the command.
  func text() throws -> String { String(decoding: try FileSystem.contents(said) ?? [], as: UTF8.self) }

  /// Returns the state that `darkroom lock status` reports.
  func state() throws -> String? {
    try place.json(try place.darkroom("lock", ["status", "--json"]).output)["state"]?.string
  }

  /// Waits until pixels of the screen have the given colors.
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

  /// Waits until the idle lock screen is shown.
  func awaitFace() throws {
    try awaitColours([
      (3, 3, Self.background), (Self.width / 2, 192, Self.ring),
    ])
  }

  /// Presses the camera button until a condition is met.
  func pressCamera(until isSo: () throws -> Bool) throws {
    try command.wait {
      try compositor.click(Self.width / 2, 192, width: Self.width, height: Self.height)
      return try TestPatience.comes(within: 3, isSo)
    }
  }

  /// Types until a condition is met, because the virtual keyboard can disappear before its client has noticed
  /// it.
  func type(_ words: String..., until isSo: () throws -> Bool) throws {
    let isDone = try TestPatience.comes {
      try compositor.type(["-s", "300"] + words + ["-s", "300"])
      return try TestPatience.comes(within: 3, isSo)
    }
    #expect(isDone, "\(words)")
  }

  /// Returns whether the command has exited.
  func hasEnded() -> Bool {
    var status = siginfo_t()
    waitid(P_PID, id_t(command.process), &status, WEXITED | WNOHANG | WNOWAIT)
    return status.si_signo != 0
  }

  /// Returns the PID of the drawing process.
  func helper() throws -> Int32 {
    let children = ProcessFacts(command.process)?.children(of: command.process)
    return try #require(children?.first)
  }

  /// Sets the passcode 1234.
  static func setPasscode(_ place: Place) throws {
    let answers = try place.write("answers", "1234\n")
    let set = try place.darkroom("passcode", ["set", "--passcode-fd", "0"], input: answers)
    try #require(set.code == 0, "\(set.errors)")
  }
}
