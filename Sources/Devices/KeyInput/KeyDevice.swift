// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// One input device, and nothing of how it is read: what ``KeyDesk`` needs of one.
package protocol KeyDevice: AnyObject {
  /// Readable when there is something to take, or when the device is gone.
  var descriptor: Int32 { get }
  /// What the device calls itself.
  var name: String { get }
  /// Whether the device has this key or switch.
  func has(_ code: InputCode) -> Bool
  /// The next that has happened, without waiting. An error is that the device is gone (`ENODEV`), or cannot be read.
  func next() throws(SystemCallError) -> KeyDeviceReading
  /// The value that a key or switch has now; after ``KeyDeviceReading/dropped`` it is as the kernel has it.
  func value(of code: InputCode) -> Int32
  /// Takes the device for this process alone, or gives it back. The corresponding call is `EVIOCGRAB`.
  func setGrabbed(_ isGrabbed: Bool) throws(SystemCallError)
}

/// Who says that something has happened at a device.
package enum KeyReportAuthor: Hashable, Sendable {
  /// Its driver: somebody has moved something.
  case driver
  /// The kernel itself, which lets go what is held down when a device is about to go or to sleep, and repeats keys.
  ///
  /// It marks these reports with 1 (`input_disconnect_device` and `input_repeat_key` in drivers/input/input.c).
  case kernel
}

/// What one look at a device has brought.
package enum KeyDeviceReading: Hashable, Sendable {
  /// A key or a switch has this value since `time` (nanoseconds of ``MonotonicClock``): 0 is up or off, 1 down or on, 2 a
  /// repetition.
  case value(InputCode, Int32, time: UInt64)
  /// What came since the last end belongs together, and ends here. The corresponding event is `SYN_REPORT`.
  case end(KeyReportAuthor)
  /// Something that is neither key nor switch.
  case other
  /// The kernel has lost events: only the values are known. The corresponding event is `SYN_DROPPED`.
  case dropped
  /// Nothing more has happened.
  case nothing
}
