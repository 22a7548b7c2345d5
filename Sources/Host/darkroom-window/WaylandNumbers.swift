// SPDX-License-Identifier: Apache-2.0

/// The numbers of requests of `wl_display`, which is always the object 1.
enum DisplayRequest {
  /// Says when everything before it is done.
  static let sync: UInt16 = 0
  /// Has all globals told.
  static let getRegistry: UInt16 = 1
}

/// The numbers of events of `wl_display`.
enum DisplayEvent {
  /// A request was wrong; the connection is over.
  static let error: UInt16 = 0
  /// The compositor has forgotten an object.
  static let deleteID: UInt16 = 1
}

/// The numbers of requests of `wl_registry`.
enum RegistryRequest {
  /// Makes a global an object.
  static let bind: UInt16 = 0
}

/// The numbers of events of `wl_registry`.
enum RegistryEvent {
  /// There is a global.
  static let global: UInt16 = 0
  /// It has gone.
  static let globalRemove: UInt16 = 1
}

/// The numbers of requests of `wl_compositor`.
enum CompositorRequest {
  /// Makes a surface.
  static let createSurface: UInt16 = 0
}

/// The numbers of requests of `wl_shm` and its pools.
enum MemoryRequest {
  /// Shares a file of memory (`wl_shm.create_pool`).
  static let createPool: UInt16 = 0
  /// Makes a part of it a buffer (`wl_shm_pool.create_buffer`).
  static let createBuffer: UInt16 = 0
  /// Forgets a buffer (`wl_buffer.destroy`).
  static let destroyBuffer: UInt16 = 0
  /// How pixels are in it: 32 bits, of which 8 mean nothing, then red, green, blue (`WL_SHM_FORMAT_XRGB8888`).
  static let formatXRGB: UInt32 = 1
}

/// The numbers of requests of `wl_surface`.
enum SurfaceRequest {
  /// Forgets it.
  static let destroy: UInt16 = 0
  /// Has a buffer shown with the next commit.
  static let attach: UInt16 = 1
  /// Says what has changed.
  static let damage: UInt16 = 2
  /// Says when the next frame is worth drawing.
  static let frame: UInt16 = 3
  /// Makes all of it so.
  static let commit: UInt16 = 6
}

/// The numbers of requests of `xdg_wm_base`.
enum BaseRequest {
  /// Makes a surface one of the desktop.
  static let getSurface: UInt16 = 2
  /// Is an answer to `ping`.
  static let pong: UInt16 = 3
}

/// The numbers of requests of `xdg_surface`.
enum DesktopSurfaceRequest {
  /// Makes it a window.
  static let getToplevel: UInt16 = 1
  /// What is committed next is as was asked for.
  static let acknowledge: UInt16 = 4
}

/// The numbers of requests of `xdg_toplevel`.
enum ToplevelRequest {
  /// Sets the title.
  static let setTitle: UInt16 = 2
  /// Says which program it belongs to.
  static let setApplication: UInt16 = 3
}

/// The numbers of events of `xdg_toplevel`.
enum ToplevelEvent {
  /// The window is to be of a size; nothing: as it likes.
  static let configure: UInt16 = 0
  /// The person closes it.
  static let close: UInt16 = 1
}

/// The numbers of requests of `wl_seat`.
enum SeatRequest {
  /// Makes its pointer an object.
  static let getPointer: UInt16 = 0
  /// Makes its keyboard an object.
  static let getKeyboard: UInt16 = 1
  /// Makes its touch screen an object.
  static let getTouch: UInt16 = 2
}

/// The numbers of events of `wl_seat`.
enum SeatEvent {
  /// What it has: a bit for each.
  static let capabilities: UInt16 = 0
  /// The bit of the keyboard (`WL_SEAT_CAPABILITY_KEYBOARD`).
  static let hasKeyboard: UInt32 = 2
  /// That of the pointer.
  static let hasPointer: UInt32 = 1
  /// That of the touch screen.
  static let hasTouch: UInt32 = 4
}

/// The numbers of events of `wl_pointer`.
enum PointerEvent {
  /// It is on a surface.
  static let enter: UInt16 = 0
  /// It is on none of this program's.
  static let leave: UInt16 = 1
  /// It is elsewhere there.
  static let motion: UInt16 = 2
  /// A button is down or up.
  static let button: UInt16 = 3
  /// It is down (`WL_POINTER_BUTTON_STATE_PRESSED`).
  static let isPressed: UInt32 = 1
}

/// The numbers of events of `wl_touch`.
enum TouchEvent {
  /// A finger is put down.
  static let down: UInt16 = 0
}

/// The numbers of requests of `ext_session_lock_manager_v1`.
enum LockManagerRequest {
  /// Locks.
  static let lock: UInt16 = 1
}

/// The numbers of requests of `ext_session_lock_v1`.
enum LockRequest {
  /// Makes a surface that of an output.
  static let getSurface: UInt16 = 1
  /// Unlocks, for good.
  static let unlock: UInt16 = 2
}

/// The numbers of events of `ext_session_lock_v1`.
enum LockEvent {
  /// Nothing but this program's surfaces is shown.
  static let locked: UInt16 = 0
  /// It is not locked, or not any more, by this program.
  static let finished: UInt16 = 1
}

/// The numbers of requests of `ext_session_lock_surface_v1`.
enum LockSurfaceRequest {
  /// Forgets it.
  static let destroy: UInt16 = 0
  /// What is committed next is as was asked for.
  static let acknowledge: UInt16 = 1
}

/// The numbers of events of `wl_keyboard`.
enum KeyboardEvent {
  /// What the keys type, in a file.
  static let keymap: UInt16 = 0
  /// The keys are another surface's from now on.
  static let leave: UInt16 = 2
  /// A key is down or up.
  static let key: UInt16 = 3
  /// Shift and its kind are down or up.
  static let modifiers: UInt16 = 4
  /// It is down (`WL_KEYBOARD_KEY_STATE_PRESSED`).
  static let isPressed: UInt32 = 1
}

/// The numbers of requests of `zxdg_decoration_manager_v1` and its objects.
enum DecorationRequest {
  /// Is about the frame of a window.
  static let getDecoration: UInt16 = 1
  /// Says who draws it.
  static let setMode: UInt16 = 1
  /// The compositor does.
  static let byCompositor: UInt32 = 2
}

/// The numbers of events of `zxdg_toplevel_decoration_v1`.
enum DecorationEvent {
  /// Says who draws the frame of a window.
  static let configure: UInt16 = 0
}
