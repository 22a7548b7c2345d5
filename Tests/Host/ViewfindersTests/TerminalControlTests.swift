// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import Synchronization
import Testing
import Viewfinders

@Suite struct TerminalControlTests {
  /// Returns the two ends of a pseudoterminal, which the caller closes.
  private func open() throws -> (keyboard: Int32, terminal: Int32) {
    let keyboard = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(keyboard >= 0)
    // The operations of unlockpt(3) and ptsname(3) (ioctl_tty(2): TIOCSPTLCK, TIOCGPTN), which Swift does not
    // import.
    var (lock, number) = (Int32(0), UInt32(0))
    try #require(ioctl(keyboard, 0x4004_5431, &lock) == 0)
    try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
    let terminal = Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    return (keyboard, terminal)
  }

  @Test func `restores the terminal even if its descriptor number was reused`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    #expect(TerminalState.of(keyboard)?.isCanonical == true)
    var control: TerminalControl? = try TerminalControl(terminal)
    #expect(control != nil && TerminalState.of(keyboard)?.isCanonical == false)
    try FileSystem.open("/dev/null", .readWrite).replace(terminal)
    control = nil
    #expect(TerminalState.of(keyboard)?.isCanonical == true)
  }

  @Test func `releases the terminal temporarily and a state left by a killed host is restored`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let before = try #require(TerminalState.of(terminal)?.bytes)
    let control = try TerminalControl(terminal)
    control.restoreTerminal()
    #expect(TerminalState.of(keyboard)?.bytes == before)
    control.resume()
    // During a pause, a password prompt controls the terminal.
    control.isPaused = true
    #expect(control.nextDeadline == nil && control.descriptor == nil)
    control.isPaused = false
    let moment = try #require(control.nextDeadline)
    #expect(control.commands(at: moment) == [] && TerminalState.of(keyboard)?.isCanonical == false)
    #expect(write(keyboard, "q", 1) == 1)
    #expect(control.commands(at: moment) == [.quit])
    // The state that a killed host has left is restored, but not a state that another process has set since.
    let state = try #require(TerminalState(before, of: terminal))
    state.restoreAfterCbreak()
    #expect(TerminalState.of(keyboard)?.bytes == before)
    let other = try TerminalMode.secret(terminal, turn: .own)
    state.restoreAfterCbreak()
    #expect(TerminalState.of(keyboard)?.bytes != before)
    _ = consume other
    #expect(TerminalState([1, 2], of: terminal) == nil)
  }

  @Test func `restores the terminal after the session unless another program is in the foreground`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let before = try #require(TerminalState.of(terminal)?.bytes)
    let isInBackground = Mutex(true)
    let turn = TerminalJobControl(isInBackground: { _ in isInBackground.withLock { $0 } }, stop: {})
    let control = try TerminalControl(terminal, turn: turn)
    control.end()
    #expect(TerminalState.of(keyboard)?.isCanonical == false)
    isInBackground.withLock { $0 = false }
    control.end()
    #expect(TerminalState.of(keyboard)?.bytes == before)
    withExtendedLifetime(control) {}
  }

  @Test func `kills a viewfinder that does not release the terminal in time`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let directory = "/tmp/darkroom-stubborn-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory)
    defer { try? FileSystem.removeTree(directory) }
    let program = Array("#!/bin/sh\nexec sleep 100\n".utf8)
    try FileSystem.replaceContents("\(directory)/darkroom-viewfinder", with: program, mode: 0o755)
    let capabilities = try #require(TerminalCapabilities { $0 == "TERM" ? "linux" : nil })
    let viewfinder = try TerminalViewfinder.start(on: terminal, capabilities, keys: "", beside: directory)
    viewfinder.patience = 50_000_000
    let news = Mutex<[String]>([])
    viewfinder.whenLost = { sentence in news.withLock { $0.append(sentence) } }
    // Pauses nest: the second pause does not stop the viewfinder again.
    viewfinder.pause(true)
    viewfinder.pause(true)
    #expect(!viewfinder.isOpen)
    #expect(news.withLock { $0 }.map { $0.contains("did not exit and was killed") } == [true])
    viewfinder.pause(false)
    viewfinder.pause(false)
  }

  @Test func `leaves keys unread and the terminal unchanged while in the background`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let isInBackground = Atomic(false)
    let turn = TerminalJobControl(
      isInBackground: { _ in isInBackground.load(ordering: .acquiring) },
      stop: {}
    )
    var control: TerminalControl? = try TerminalControl(terminal, turn: turn)
    isInBackground.store(true, ordering: .releasing)
    #expect(write(keyboard, "q", 1) == 1)
    #expect(control?.commands(at: 0) == [])
    #expect(control?.descriptor == nil)
    isInBackground.store(false, ordering: .releasing)
    let moment = try #require(control?.nextDeadline)
    #expect(control?.commands(at: moment) == [])
    #expect(control?.descriptor != nil)
    #expect(control?.commands(at: moment) == [.quit])
    isInBackground.store(true, ordering: .releasing)
    control = nil
    #expect(TerminalState.of(keyboard)?.isCanonical == false)
  }

  @Test func `maps terminal keys to buttons and camera controls`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let control = try TerminalControl(terminal)
    #expect(control.hasUser)
    #expect(write(keyboard, "\t+=-fhx", 7) == 7)
    let adjusted: [CameraControlCommand] = [
      .next, .step(nil, steps: 1), .step(nil, steps: 1), .step(nil, steps: -1), .toggleFullscreen,
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
