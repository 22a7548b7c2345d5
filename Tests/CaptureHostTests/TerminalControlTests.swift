// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Glibc
import Testing

@Suite struct TerminalControlTests {
  @Test func `the keys of a terminal are buttons and camera controls`() throws {
    let keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(keyboard) }
    try #require(keyboard >= 0)
    // What unlockpt(3) and ptsname(3) do (ioctl_tty(2): TIOCSPTLCK, TIOCGPTN), which Swift does not see.
    var (lock, number) = (Int32(0), UInt32(0))
    try #require(ioctl(keyboard, 0x4004_5431, &lock) == 0)
    try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    try #require(terminal >= 0)
    let control = try TerminalControl(terminal)
    #expect(control.hasPerson)
    #expect(write(keyboard, "\t+=-fhx", 7) == 7)
    let adjusted: [CameraControlCommand] = [
      .next, .turn(nil, steps: 1), .turn(nil, steps: 1), .turn(nil, steps: -1), .toggleFullscreen,
      .show(.inactive),
    ]
    #expect(control.commands(at: 0) == adjusted.map(SessionCommand.cameraControl))
    #expect(write(keyboard, " sdq", 4) == 4)
    let presses = [CaptureButton.primary, .secondary].flatMap { button in
      [SessionCommand.capture(CaptureEvent(button, .began)), .capture(CaptureEvent(button, .ended))]
    }
    #expect(control.commands(at: 0) == presses + [.dismiss, .quit])
  }
}
