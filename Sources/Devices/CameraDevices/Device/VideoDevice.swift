// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import LinuxPrimitives

/// A frame that a device captured.
package struct DeviceFrame: Hashable, Sendable {
  /// The index of its buffer, which must be requeued.
  package var buffer: Int
  /// The size of the frame in the buffer, in bytes.
  package var bytes: Int
  /// The driver's frame counter, which includes lost frames.
  package var sequence: UInt32
  /// The capture time in nanoseconds of ``MonotonicClock``, or `nil` if the driver does not report it on that
  /// clock.
  package var time: UInt64?
  /// Whether the frame is corrupt. The corresponding flag is `V4L2_BUF_FLAG_ERROR`.
  package var isDamaged: Bool

  /// Creates a frame from its parts.
  package init(buffer: Int, bytes: Int, sequence: UInt32, time: UInt64?, isDamaged: Bool = false) {
    self.buffer = buffer
    self.bytes = bytes
    self.sequence = sequence
    self.time = time
    self.isDamaged = isDamaged
  }
}

/// The adjustable controls of a device, apart from its frames.
///
/// One thread at a time uses an object of this type. It can be another thread than that of the frames.
package protocol ControllableDevice: AnyObject {
  /// Returns all controls.
  func controls() -> [DeviceControl]
  /// Returns the control with an ID, or `nil` if the device does not have it.
  func control(_ number: UInt32) -> DeviceControl?
  /// Returns the device's controls with the given IDs, in the given order.
  func controls(withIDs numbers: [UInt32]) -> [DeviceControl]
  /// Sets a control to a value.
  func set(_ control: UInt32, to value: Int) throws(SystemCallError)
}

extension ControllableDevice {
  /// Returns the control with an ID from ``controls()``.
  package func control(_ number: UInt32) -> DeviceControl? { controls().first { $0.id == number } }
  /// Queries each control separately, because the kernel can have many more.
  package func controls(withIDs numbers: [UInt32]) -> [DeviceControl] { numbers.compactMap(control) }
}

/// A capture device: its formats, buffers and frames, without the conversion of the frames.
///
/// One thread at a time uses a device.
package protocol VideoDevice: ControllableDevice {
  /// A descriptor that is readable when a frame is available, and in the error state when the device was
  /// removed or has an event.
  var descriptor: Int32 { get }
  /// The descriptor of a kernel device, from which the converter reads how the camera is mounted, or `nil`
  /// for other devices.
  var kernelDescriptor: Int32? { get }

  /// Returns the identity that the device reports.
  func identity() throws(SystemCallError) -> DeviceIdentity
  /// Returns the supported formats.
  func formats() -> [CameraFormat]
  /// Returns a second object for the same device, with which another thread adjusts controls, or `nil` if
  /// nothing is adjustable.
  func makeControlDevice() -> sending (any ControllableDevice)?
  /// Returns the path under which a later process finds the device to recover a session. `path` is the path
  /// under which it was opened.
  func persistentPath(_ path: String) -> String

  /// Returns the active format.
  func activeFormat() throws(SystemCallError) -> ActiveCameraFormat
  /// Sets the format, and returns the format that the driver chose.
  func setActiveFormat(_ picture: ActiveCameraFormat) throws(SystemCallError) -> ActiveCameraFormat
  /// Returns the active rate, or `nil` if the device does not report one.
  func rate() -> FrameRate?
  /// Sets the rate, and returns the rate that the driver chose, or `nil` if the rate is not adjustable.
  func setRate(_ rate: FrameRate) throws(SystemCallError) -> FrameRate?

  /// Requests buffers, and returns their number. No other process can stream from the device afterwards.
  func requestBuffers(_ count: Int) throws(SystemCallError) -> Int
  /// Starts streaming.
  func start() throws(SystemCallError)
  /// Stops streaming.
  func stop()
  /// Returns the next frame without blocking, or `nil` if there is none.
  func nextFrame() throws(SystemCallError) -> DeviceFrame?
  /// Returns the bytes of a buffer.
  func bytes(of buffer: Int) -> UnsafeMutableRawBufferPointer
  /// Returns a buffer to the driver, which fills it again.
  func requeue(_ buffer: Int) throws(SystemCallError)
  /// Whether the size or rate of the video source changed since the last call.
  func takeChange() -> Bool

  /// Returns the camera failure for a failed request. `path` is the path of the device.
  func fault(_ error: SystemCallError, _ path: String) -> CameraFault
  /// Returns the failure of a camera that delivered no frame for `seconds`, even after a restart.
  func noFramesFault(seconds: Int) -> CameraFault
}

/// The time for which a device that is being removed can still answer requests, in nanoseconds.
private let disconnectTimeout: UInt64 = 250_000_000

extension VideoDevice {
  /// `nil`: not a kernel device.
  package var kernelDescriptor: Int32? { nil }
  /// Returns `nil`: nothing is adjustable.
  package func makeControlDevice() -> sending (any ControllableDevice)? { nil }
  /// Returns `path`.
  package func persistentPath(_ path: String) -> String { path }
  /// Returns the failure of a kernel device.
  package func noFramesFault(seconds: Int) -> CameraFault { .noFrames(seconds: seconds) }

  /// Returns the failure of a kernel device.
  ///
  /// A request during which the device is removed can fail with any error; the next request shows the
  /// removal. Transfers fail with `EIO` before the driver detects the removal, so the method then waits briefly.
  package func fault(_ error: SystemCallError, _ path: String) -> CameraFault {
    let fault = CameraFault(error, of: path)
    guard case .failed = fault else { return fault }
    let deadline = MonotonicClock.now + (error.errno == .inputOutput ? disconnectTimeout : 0)
    while true {
      do throws(SystemCallError) { _ = try activeFormat() } catch {
        if CameraFault(error, of: path) == .unplugged { return .unplugged }
      }
      if MonotonicClock.now >= deadline { return fault }
      MonotonicClock.sleep(milliseconds: 10)
    }
  }
}
