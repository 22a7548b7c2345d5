// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

/// The keys of a window: those of a terminal (``TerminalControl``), but the shutter is pressed as long as its key is down.
struct WindowKeys {
  /// Which buttons are pressed, by the number of the key that presses them.
  private var pressed: [UInt32: CaptureButton] = [:]

  /// The number of the key of a camera (evdev(4), `KEY_CAMERA`).
  private static let camera: UInt32 = 212

  /// Whether what is down is the key of a camera.
  static func isCamera(_ bytes: some Collection<UInt8>) -> Bool {
    number(bytes.prefix { $0 != UInt8(ascii: " ") }) == camera
  }

  /// What a key asks for that is down; the bytes are its number, a space, and what it types.
  mutating func press(_ bytes: some Collection<UInt8>) -> [SessionCommand] {
    if Self.isCamera(bytes) { return begin(.primary, Self.camera) }
    let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, let number = Self.number(words[0]), words[1].count == 1, let key = words[1].first
    else { return [] }
    guard let button = TerminalControl.button(of: key) else { return TerminalControl.commands(of: key) }
    return begin(button, number)
  }

  /// Presses a button by a key, unless another key has it pressed already.
  private mutating func begin(_ button: CaptureButton, _ number: UInt32) -> [SessionCommand] {
    guard !pressed.values.contains(button) else { return [] }
    pressed[number] = button
    return [.capture(CaptureEvent(button, .began))]
  }

  /// What a key asks for that is up.
  mutating func release(_ bytes: some Collection<UInt8>) -> [SessionCommand] {
    guard let number = Self.number(bytes), let button = pressed.removeValue(forKey: number) else {
      return []
    }
    return [.capture(CaptureEvent(button, .ended))]
  }

  /// What follows when the keys are another window's: nobody knows when those are up that are down.
  mutating func leave() -> [SessionCommand] {
    defer { pressed = [:] }
    return CaptureButton.allCases.filter(pressed.values.contains).map {
      .capture(CaptureEvent($0, .cancelled))
    }
  }

  /// The number that digits say; no text is made of them, because nobody could wipe that.
  private static func number(_ digits: some Collection<UInt8>) -> UInt32? {
    guard (1...10).contains(digits.count) else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = 10 * number + UInt64(digit - UInt8(ascii: "0"))
    }
    return UInt32(exactly: number)
  }
}
