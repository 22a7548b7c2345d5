// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

/// The keys of a window. They are those of a terminal (``TerminalControl``), but the shutter stays pressed
/// while its key is down.
struct WindowKeys {
  /// The pressed buttons, by the number of the key that presses them.
  private var pressed: [UInt32: CaptureButton] = [:]

  /// The number of the camera key (evdev(4), `KEY_CAMERA`).
  private static let camera: UInt32 = 212

  /// Returns whether a pressed key is the camera key.
  static func isCamera(_ bytes: some Collection<UInt8>) -> Bool {
    number(bytes.prefix { $0 != UInt8(ascii: " ") }) == camera
  }

  /// Returns the commands for a pressed key. The bytes are its number, a space, and the text that it types.
  mutating func press(_ bytes: some Collection<UInt8>) -> [SessionCommand] {
    if Self.isCamera(bytes) { return begin(.primary, Self.camera) }
    let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, let number = Self.number(words[0]), words[1].count == 1, let key = words[1].first
    else { return [] }
    guard let button = TerminalControl.button(of: key) else { return TerminalControl.commands(of: key) }
    return begin(button, number)
  }

  /// Presses a button with a key, unless another key holds it.
  private mutating func begin(_ button: CaptureButton, _ number: UInt32) -> [SessionCommand] {
    guard !pressed.values.contains(button) else { return [] }
    pressed[number] = button
    return [.capture(CaptureEvent(button, .began))]
  }

  /// Returns the commands for a released key.
  mutating func release(_ bytes: some Collection<UInt8>) -> [SessionCommand] {
    guard let number = Self.number(bytes), let button = pressed.removeValue(forKey: number) else {
      return []
    }
    return [.capture(CaptureEvent(button, .ended))]
  }

  /// Cancels all pressed buttons because the keyboard focus is lost: later key releases are not reported.
  mutating func cancelAll() -> [SessionCommand] {
    defer { pressed = [:] }
    return CaptureButton.allCases.filter(pressed.values.contains).map {
      .capture(CaptureEvent($0, .cancelled))
    }
  }

  /// Returns the number that decimal digits represent. They are not converted to a string, which could not be
  /// wiped.
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
