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
  static let (background, ring, wrongDots, frame) = (
    [0x10, 0x18, 0x20], [0xE0, 0xE0, 0xE0], [0xFF, 0x40, 0x40], [0x30, 0xD1, 0x58]
  )
  /// The size of the screen in pixels.
  static let (width, height) = (320, 240)

  let home: TestHome
  let compositor: Compositor
  private(set) var command: Command
  private var errorsPath: String

  /// Locks the screen after `prepare`. `app` are the files of an app that replaces the sample, by path.
  /// `programs` are the built programs to add to the app, by path.
  init(
    _ user: TestUser,
    _ compositor: Compositor,
    app: [String: String] = [:],
    programs: [String: String] = [:],
    prepare: (TestHome) throws -> Void = { _ in }
  ) throws {
    home = try TestHome(user)
    self.compositor = compositor
    for (name, text) in app {
      try FileSystem.makeDirectories(FileSystem.directoryName(home.file(name)), mode: 0o755)
      try home.write(name, text, mode: 0o755)
    }
    for (name, program) in programs {
      let bytes = try FileSystem.contents("\(home.programs.directory)/bin/\(program)")
      try FileSystem.replaceContents(home.file(name), with: try #require(bytes), mode: 0o755)
    }
    try home.install(app.isEmpty ? nil : home.file("App"))
    home.variables += compositor.variables
    try Self.setPasscode(home)
    try prepare(home)
    errorsPath = home.file("\(home.nextOutputName).err")
    command = try Self.start(home)
    try awaitLock()
  }

  private static func start(_ home: TestHome) throws -> Command {
    try home.startDarkroom(
      "lock",
      [
        "screen", "--control", "\(TestHome.app).shutter", "--camera",
        "pattern:\(width)x\(height)@30",
      ]
    )
  }

  /// Locks the screen again.
  mutating func restart() throws {
    errorsPath = home.file("\(home.nextOutputName).err")
    command = try Self.start(home)
    try awaitLock()
  }

  private func awaitLock() throws {
    try command.wait { try errorOutput().contains("the screens are locked") }
    try #require(try state() == "locked")
  }

  /// Returns the standard error of the command.
  func errorOutput() throws -> String {
    String(decoding: try FileSystem.contents(errorsPath) ?? [], as: UTF8.self)
  }

  /// Returns the state that `darkroom lock status` reports.
  func state() throws -> String? {
    try home.json(try home.darkroom("lock", ["status", "--json"]).output)["state"]?.string
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
  func awaitLockScreen() throws {
    try awaitColours([
      (3, 3, Self.background), (Self.width / 2, 192, Self.ring),
    ])
  }

  /// Presses the camera button until a condition is met.
  func pressCameraButton(until condition: () throws -> Bool) throws {
    try command.wait {
      try compositor.click(Self.width / 2, 192, width: Self.width, height: Self.height)
      return try TestTimeout.waitUntil(within: 3, condition)
    }
  }

  /// Types until a condition is met, because the virtual keyboard can disappear before its client has noticed
  /// it.
  func type(_ arguments: String..., until condition: () throws -> Bool) throws {
    let isDone = try TestTimeout.waitUntil {
      try compositor.type(["-s", "300"] + arguments + ["-s", "300"])
      return try TestTimeout.waitUntil(within: 3, condition)
    }
    #expect(isDone, "\(arguments)")
  }

  /// Returns whether the command has exited.
  func hasEnded() -> Bool {
    var status = siginfo_t()
    waitid(P_PID, id_t(command.process), &status, WEXITED | WNOHANG | WNOWAIT)
    return status.si_signo != 0
  }

  /// Returns the PID of the drawing process.
  func drawingProcess() throws -> Int32 {
    let children = ProcessFacts(command.process)?.children(of: command.process)
    return try #require(children?.first)
  }

  /// Sets the passcode 1234.
  static func setPasscode(_ home: TestHome) throws {
    let answers = try home.write("answers", "1234\n")
    let set = try home.darkroom("passcode", ["set", "--passcode-fd", "0"], input: answers)
    try #require(set.code == 0, "\(set.errors)")
  }
}
