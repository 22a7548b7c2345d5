// SPDX-License-Identifier: Apache-2.0

internal import CXKBCommon
internal import LinuxPrimitives

/// The compositor's keyboard layout (libxkbcommon).
final class KeyboardLayout {
  private let context: OpaquePointer
  private let layout: OpaquePointer
  private let state: OpaquePointer

  /// The only supported keymap format (`WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1`).
  static let format: UInt32 = 1
  /// The maximum size of a keymap, in bytes. Current keymaps have about 60,000 bytes.
  private static let maximumBytes = 1 << 20
  /// The symbol of the camera key.
  private static let camera = xkb_keysym_t(XKB_KEY_XF86WebCam)
  /// The offset between evdev(4) key codes and XKB key codes.
  private static let firstKey: UInt32 = 8

  /// Creates a layout from a keymap file of `bytes` bytes, or returns `nil` if the file is not a keymap.
  init?(_ file: borrowing Descriptor, bytes: Int) {
    guard (1...Self.maximumBytes).contains(bytes) else { return nil }
    // The keymap is self-contained, so no other file may be included.
    guard let text = try? file.bytes(at: 0, count: bytes), text.count == bytes,
      let context = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES)
    else { return nil }
    xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
    let format = XKB_KEYMAP_FORMAT_TEXT_V1
    guard
      let layout = xkb_keymap_new_from_string(
        context,
        text.map { CChar(bitPattern: $0) } + [0],
        format,
        XKB_KEYMAP_COMPILE_NO_FLAGS
      )
    else {
      xkb_context_unref(context)
      return nil
    }
    guard let state = xkb_state_new(layout) else {
      xkb_keymap_unref(layout)
      xkb_context_unref(context)
      return nil
    }
    (self.context, self.layout, self.state) = (context, layout, state)
  }

  deinit {
    xkb_state_unref(state)
    xkb_keymap_unref(layout)
    xkb_context_unref(context)
  }

  /// Updates the held, latched and locked modifiers and the active group (`wl_keyboard.modifiers`).
  func setModifiers(held: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
    xkb_state_update_mask(state, held, latched, locked, 0, 0, group)
  }

  /// Returns whether a key is the camera key of the layout (`XKB_KEY_XF86WebCam`).
  func isCamera(_ key: UInt32) -> Bool {
    xkb_state_key_get_one_sym(state, key &+ Self.firstKey) == Self.camera
  }

  /// Writes the text of an evdev(4) key and a terminating zero to memory. Returns the length of the text
  /// without the zero, in bytes.
  func text(of key: UInt32, in room: UnsafeMutableRawBufferPointer) -> Int {
    let count = room.withMemoryRebound(to: CChar.self) { room in
      xkb_state_key_get_utf8(state, key &+ Self.firstKey, room.baseAddress, room.count)
    }
    // If the buffer is too small, the function returns the required size.
    return Int(count) < room.count ? Int(count) : 0
  }
}
