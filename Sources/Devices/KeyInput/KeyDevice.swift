// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// An input device, as far as ``KeyInputService`` needs it, independent of the way in which it is read.
package protocol KeyDevice: AnyObject {
  /// A descriptor that is readable when an event is available or the device was removed.
  var descriptor: Int32 { get }
  /// The name that the device reports.
  var name: String { get }
  /// Whether the device has a key or switch.
  func has(_ code: InputCode) -> Bool
  /// Returns the next event without blocking. Throws `ENODEV` if the device was removed, or another error if
  /// it cannot be read.
  func next() throws(SystemCallError) -> KeyDeviceEvent
  /// Returns the current value of a key or switch. After ``KeyDeviceEvent/dropped``, it is the kernel's
  /// value.
  func value(of code: InputCode) -> Int32
  /// Grabs the device for this process, or ungrabs it. The corresponding request is `EVIOCGRAB`.
  func setGrabbed(_ isGrabbed: Bool) throws(SystemCallError)
}

/// The origin of a report.
package enum KeyReportOrigin: Hashable, Sendable {
  /// The driver: the user moved a key or switch.
  case driver
  /// The kernel, which releases pressed keys when a device is being removed or suspended, and repeats keys.
  ///
  /// It marks these reports with 1 (`input_disconnect_device` and `input_repeat_key` in
  /// drivers/input/input.c).
  case kernel
}

/// The result of reading an event from a device.
package enum KeyDeviceEvent: Hashable, Sendable {
  /// The value of a key or switch since `time` (nanoseconds of ``MonotonicClock``): 0 is up or off, 1 down or
  /// on, 2 a repetition.
  case value(InputCode, Int32, time: UInt64)
  /// The end of a report, to which all events since the last end belong. The corresponding event is
  /// `SYN_REPORT`.
  case end(KeyReportOrigin)
  /// An event of another type than keys and switches.
  case other
  /// The kernel dropped events; only the current values are known. The corresponding event is `SYN_DROPPED`.
  case dropped
  /// No event is available.
  case nothing
}
