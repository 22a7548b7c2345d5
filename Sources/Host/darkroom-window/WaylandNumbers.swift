// SPDX-License-Identifier: Apache-2.0

/// The opcodes of requests of `wl_display`, whose object ID is 1.
enum DisplayRequest {
  /// Requests an event after all earlier requests are processed.
  static let sync: UInt16 = 0
  /// Requests the list of globals.
  static let getRegistry: UInt16 = 1
}

/// The opcodes of events of `wl_display`.
enum DisplayEvent {
  /// A request was invalid, and the connection is closed.
  static let error: UInt16 = 0
  /// The compositor deleted an object.
  static let deleteID: UInt16 = 1
}

/// The opcodes of requests of `wl_registry`.
enum RegistryRequest {
  /// Creates an object for a global.
  static let bind: UInt16 = 0
}

/// The opcodes of events of `wl_registry`.
enum RegistryEvent {
  /// A global was added.
  static let global: UInt16 = 0
  /// A global was removed.
  static let globalRemove: UInt16 = 1
}

/// The opcodes of requests of `wl_compositor`.
enum CompositorRequest {
  /// Creates a surface.
  static let createSurface: UInt16 = 0
}

/// The opcodes of requests of `wl_shm` and its pools.
enum MemoryRequest {
  /// Shares a memory file (`wl_shm.create_pool`).
  static let createPool: UInt16 = 0
  /// Creates a buffer in a pool (`wl_shm_pool.create_buffer`).
  static let createBuffer: UInt16 = 0
  /// Destroys a buffer (`wl_buffer.destroy`).
  static let destroyBuffer: UInt16 = 0
  /// The pixel format: 32 bits, of which 8 are unused, followed by red, green and blue
  /// (`WL_SHM_FORMAT_XRGB8888`).
  static let formatXRGB: UInt32 = 1
}

/// The opcodes of requests of `wl_surface`.
enum SurfaceRequest {
  /// Destroys the surface.
  static let destroy: UInt16 = 0
  /// Attaches a buffer, which the next commit shows.
  static let attach: UInt16 = 1
  /// Marks a changed area.
  static let damage: UInt16 = 2
  /// Requests an event when the next frame is useful.
  static let frame: UInt16 = 3
  /// Applies the pending changes.
  static let commit: UInt16 = 6
}

/// The opcodes of requests of `xdg_wm_base`.
enum BaseRequest {
  /// Creates an `xdg_surface` for a surface.
  static let getSurface: UInt16 = 2
  /// Replies to `ping`.
  static let pong: UInt16 = 3
}

/// The opcodes of requests of `xdg_surface`.
enum DesktopSurfaceRequest {
  /// Creates a toplevel window.
  static let getToplevel: UInt16 = 1
  /// Acknowledges a configuration, which the next commit applies.
  static let acknowledge: UInt16 = 4
}

/// The opcodes of requests of `xdg_toplevel`.
enum ToplevelRequest {
  /// Sets the title.
  static let setTitle: UInt16 = 2
  /// Sets the application ID.
  static let setApplication: UInt16 = 3
}

/// The opcodes of events of `xdg_toplevel`.
enum ToplevelEvent {
  /// Requests a window size, or 0 for the program's choice, and reports the states of the window.
  static let configure: UInt16 = 0
  /// The state of the window that the user works with (`XDG_TOPLEVEL_STATE_ACTIVATED`).
  static let isActive: UInt32 = 4
  /// The user closed the window.
  static let close: UInt16 = 1
}

/// The opcodes of requests of `wl_seat`.
enum SeatRequest {
  /// Creates an object for the pointer.
  static let getPointer: UInt16 = 0
  /// Creates an object for the keyboard.
  static let getKeyboard: UInt16 = 1
  /// Creates an object for the touch screen.
  static let getTouch: UInt16 = 2
}

/// The opcodes of events of `wl_seat`.
enum SeatEvent {
  /// The capabilities of the seat as a bit mask.
  static let capabilities: UInt16 = 0
  /// The keyboard bit (`WL_SEAT_CAPABILITY_KEYBOARD`).
  static let hasKeyboard: UInt32 = 2
  /// The pointer bit.
  static let hasPointer: UInt32 = 1
  /// The touch screen bit.
  static let hasTouch: UInt32 = 4
}

/// The opcodes of events of `wl_pointer`.
enum PointerEvent {
  /// The pointer entered a surface.
  static let enter: UInt16 = 0
  /// The pointer left a surface.
  static let leave: UInt16 = 1
  /// The pointer moved.
  static let motion: UInt16 = 2
  /// A button was pressed or released.
  static let button: UInt16 = 3
  /// The number of the left button (`BTN_LEFT` of evdev(4)).
  static let leftButton: UInt32 = 0x110
  /// The state of a pressed button (`WL_POINTER_BUTTON_STATE_PRESSED`).
  static let isPressed: UInt32 = 1
}

/// The opcodes of events of `wl_touch`.
enum TouchEvent {
  /// A finger touched the screen.
  static let down: UInt16 = 0
  /// A finger was lifted.
  static let up: UInt16 = 1
  /// A finger moved.
  static let motion: UInt16 = 2
  /// The compositor uses the touches itself, so all of them are over.
  static let cancel: UInt16 = 4
}

/// The opcodes of requests of `ext_session_lock_manager_v1`.
enum LockManagerRequest {
  /// Locks the session.
  static let lock: UInt16 = 1
}

/// The opcodes of requests of `ext_session_lock_v1`.
enum LockRequest {
  /// Creates the lock surface of an output.
  static let getSurface: UInt16 = 1
  /// Unlocks the session and destroys the lock.
  static let unlock: UInt16 = 2
}

/// The opcodes of events of `ext_session_lock_v1`.
enum LockEvent {
  /// The session is locked.
  static let locked: UInt16 = 0
  /// The lock was refused or has ended.
  static let finished: UInt16 = 1
}

/// The opcodes of requests of `ext_session_lock_surface_v1`.
enum LockSurfaceRequest {
  /// Destroys the lock surface.
  static let destroy: UInt16 = 0
  /// Acknowledges a configuration, which the next commit applies.
  static let acknowledge: UInt16 = 1
}

/// The opcodes of events of `wl_keyboard`.
enum KeyboardEvent {
  /// The keymap, in a file.
  static let keymap: UInt16 = 0
  /// The surface lost the keyboard focus.
  static let leave: UInt16 = 2
  /// A key was pressed or released.
  static let key: UInt16 = 3
  /// The modifiers changed.
  static let modifiers: UInt16 = 4
  /// The state of a pressed key (`WL_KEYBOARD_KEY_STATE_PRESSED`).
  static let isPressed: UInt32 = 1
}

/// The opcodes of requests of `zxdg_decoration_manager_v1` and its objects.
enum DecorationRequest {
  /// Creates a decoration object for a window.
  static let getDecoration: UInt16 = 1
  /// Requests a decoration mode.
  static let setMode: UInt16 = 1
  /// The mode in which the compositor draws the decoration.
  static let byCompositor: UInt32 = 2
}

/// The opcodes of events of `zxdg_toplevel_decoration_v1`.
enum DecorationEvent {
  /// The decoration mode of a window.
  static let configure: UInt16 = 0
}
