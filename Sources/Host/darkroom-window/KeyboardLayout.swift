// SPDX-License-Identifier: Apache-2.0

internal import CXKBCommon
internal import LinuxPrimitives

/// What the keys of a keyboard type, as the compositor has it (libxkbcommon).
final class KeyboardLayout {
  private let context: OpaquePointer
  private let layout: OpaquePointer
  private let state: OpaquePointer

  /// The only format that there is (`WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1`).
  static let format: UInt32 = 1
  /// The most bytes of a description; those of today have some 60,000.
  private static let mostBytes = 1 << 20
  /// The symbol of a camera's key.
  private static let camera = xkb_keysym_t(XKB_KEY_XF86WebCam)
  /// What keys of evdev(4) are counted from there.
  private static let firstKey: UInt32 = 8

  /// Reads the description in a file of so many bytes; nil: it is none.
  init?(_ file: borrowing Descriptor, bytes: Int) {
    guard (1...Self.mostBytes).contains(bytes) else { return nil }
    // No file is looked at for it: all is in the description.
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

  /// Other modifiers are held or locked, or another group is chosen (`wl_keyboard.modifiers`).
  func setModifiers(held: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
    xkb_state_update_mask(state, held, latched, locked, 0, 0, group)
  }

  /// Whether a key is that of a camera, as the layout has it (`XKB_KEY_XF86WebCam`).
  func isCamera(_ key: UInt32) -> Bool {
    xkb_state_key_get_one_sym(state, key &+ Self.firstKey) == Self.camera
  }

  /// Writes what a key of evdev(4) types now into memory, followed by a zero; gives how many bytes it is without that.
  func text(of key: UInt32, in room: UnsafeMutableRawBufferPointer) -> Int {
    let count = room.withMemoryRebound(to: CChar.self) { room in
      xkb_state_key_get_utf8(state, key &+ Self.firstKey, room.baseAddress, room.count)
    }
    // It says how much it would be where there is not enough room.
    return Int(count) < room.count ? Int(count) : 0
  }
}
