// SPDX-License-Identifier: Apache-2.0

internal import CEvdev
package import LinuxPrimitives

/// An input device of the kernel, read with libevdev.
package final class EvdevDevice: KeyDevice {
  private let file: Descriptor
  private let library: darkroom_evdev
  /// The libevdev object, created in `init` and freed in `deinit`.
  private let device: OpaquePointer

  /// Opens a device for non-blocking reads.
  package init(_ path: String) throws(KeyInputError) {
    guard let library = EvdevLibrary.functions else { throw .noLibrary }
    self.library = library
    do { file = try FileSystem.open(path, [.nonBlocking]) } catch { throw KeyInputError(error, path) }
    var made: OpaquePointer?
    let result = library.new_from_fd(file.rawValue, &made)
    guard result == 0, let made else {
      // A file without the evdev ioctls is not an input device.
      throw .notAnInputDevice(path: path)
    }
    device = made
    // All other timestamps use this clock. A kernel that refuses it uses its own clock, which affects only
    // double presses.
    _ = library.set_clock_id(device, MonotonicClock.clockID)
  }

  deinit { library.free(device) }

  package var descriptor: Int32 { file.rawValue }
  package var name: String { library.get_name(device).map { String(cString: $0) } ?? "" }

  package func has(_ code: InputCode) -> Bool {
    library.has_event_code(device, UInt32(code.kind.rawValue), UInt32(code.number)) == 1
  }

  package func next() throws(SystemCallError) -> KeyDeviceEvent {
    var event = input_event()
    let status = library.next_event(device, LIBEVDEV_READ_FLAG_NORMAL.rawValue, &event)
    switch status {
    case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
      try resynchronize()
      return .dropped
    case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
      if event.type == UInt16(EV_SYN), event.code == UInt16(SYN_REPORT) {
        return .end(event.value == 0 ? .driver : .kernel)
      }
      guard let kind = InputCode.Kind(rawValue: event.type) else { return .other }
      let time = UInt64(event.time.tv_sec) * 1_000_000_000 + UInt64(event.time.tv_usec) * 1000
      return .value(InputCode(kind, event.code), event.value, time: time)
    case -Errno.wouldBlock.rawValue: return .nothing
    default: throw SystemCallError("read", errno: Errno(rawValue: -status))
    }
  }

  /// Lets libevdev read all values from the kernel, after events were lost.
  private func resynchronize() throws(SystemCallError) {
    var event = input_event()
    while true {
      let status = library.next_event(device, LIBEVDEV_READ_FLAG_SYNC.rawValue, &event)
      if status == -Errno.wouldBlock.rawValue { return }
      if status < 0 { throw SystemCallError("read", errno: Errno(rawValue: -status)) }
    }
  }

  package func value(of code: InputCode) -> Int32 {
    library.get_event_value(device, UInt32(code.kind.rawValue), UInt32(code.number))
  }

  package func setGrabbed(_ isGrabbed: Bool) throws(SystemCallError) {
    let status = library.grab(device, isGrabbed ? LIBEVDEV_GRAB : LIBEVDEV_UNGRAB)
    guard status == 0 else { throw SystemCallError("ioctl", errno: Errno(rawValue: -status)) }
  }
}
