// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import LinuxPrimitives

/// A frame that a device has given.
package struct DeviceFrame: Hashable, Sendable {
  /// The number of its buffer, which has to be given back.
  package var buffer: Int
  /// How many bytes of the buffer are the frame's.
  package var bytes: Int
  /// The driver's count, which also counts those that were lost.
  package var sequence: UInt32
  /// When it was taken, in nanoseconds of ``MonotonicClock``; nil: the driver does not say on that clock.
  package var time: UInt64?
  /// Whether the frame is damaged. The corresponding flag is `V4L2_BUF_FLAG_ERROR`.
  package var isDamaged: Bool

  /// Describes a frame.
  package init(buffer: Int, bytes: Int, sequence: UInt32, time: UInt64?, isDamaged: Bool = false) {
    self.buffer = buffer
    self.bytes = bytes
    self.sequence = sequence
    self.time = time
    self.isDamaged = isDamaged
  }
}

/// What can be adjusted at a device, apart from its frames.
///
/// It is used by one thread at a time, which need not be that of the frames.
package protocol AdjustableDevice: AnyObject {
  /// What can be adjusted.
  func controls() -> [DeviceControl]
  /// One of them; nil: it has none of this number.
  func control(_ number: UInt32) -> DeviceControl?
  /// Those of these numbers that it has, in this order.
  func controls(numbered numbers: [UInt32]) -> [DeviceControl]
  /// Adjusts something.
  func set(_ control: UInt32, to value: Int) throws(SystemCallError)
}

extension AdjustableDevice {
  /// Looks for it among all.
  package func control(_ number: UInt32) -> DeviceControl? { controls().first { $0.id == number } }
  /// Asks for each: the kernel has many more.
  package func controls(numbered numbers: [UInt32]) -> [DeviceControl] { numbers.compactMap(control) }
}

/// One capture device, and nothing of what is made of its frames: what everything else here needs of one.
///
/// A device is used by one thread at a time.
package protocol VideoDevice: AdjustableDevice {
  /// Readable when there is a frame; in error when the device is gone, or has something to tell.
  var descriptor: Int32 { get }
  /// The kernel's device, of which the conversion asks how it is built in; nil: it is none.
  var kernelDescriptor: Int32? { get }

  /// What the device says of itself.
  func identity() throws(SystemCallError) -> DeviceIdentity
  /// The formats that it has.
  func formats() -> [CameraFormat]
  /// The same device once more, for another thread that only adjusts; nil: nothing can be adjusted.
  func forAdjusting() -> sending (any AdjustableDevice)?
  /// Where whoever recovers a session finds the device that was opened at `path`.
  func lastingPath(_ path: String) -> String

  /// The format that it is set to.
  func picture() throws(SystemCallError) -> CameraPicture
  /// Sets a format, and gives the one that the driver has made of it.
  func setPicture(_ picture: CameraPicture) throws(SystemCallError) -> CameraPicture
  /// The rate that it is set to; nil: it does not say.
  func rate() -> FrameRate?
  /// Sets a rate, and gives the one that the driver has made of it; nil: it has no rate to set.
  func setRate(_ rate: FrameRate) throws(SystemCallError) -> FrameRate?

  /// Takes so many buffers for this process alone, and gives how many there are. Nobody else can stream then.
  func takeBuffers(_ count: Int) throws(SystemCallError) -> Int
  /// Frames are taken from now on.
  func start() throws(SystemCallError)
  /// No more frames are taken.
  func stop()
  /// The next frame without waiting; nil: there is none.
  func nextFrame() throws(SystemCallError) -> DeviceFrame?
  /// The bytes of a buffer.
  func bytes(of buffer: Int) -> UnsafeMutableRawBufferPointer
  /// Gives a buffer back, to be filled again.
  func giveBack(_ buffer: Int) throws(SystemCallError)
  /// Whether what is at the other end has changed since the last call: the size, or the rate.
  func takeChange() -> Bool

  /// What a failed request says of the camera; `path` is where it is.
  func fault(_ error: SystemCallError, _ path: String) -> CameraFault
  /// What is said of a camera that has given no frame for so long, even when it was begun again.
  func silence(seconds: Int) -> CameraFault
}

/// How long a device that is being unplugged can still answer, in nanoseconds.
private let timeToGo: UInt64 = 250_000_000

extension VideoDevice {
  /// None.
  package var kernelDescriptor: Int32? { nil }
  /// None.
  package func forAdjusting() -> sending (any AdjustableDevice)? { nil }
  /// There.
  package func lastingPath(_ path: String) -> String { path }
  /// What it says of a device of the kernel.
  package func silence(seconds: Int) -> CameraFault { .silent(seconds: seconds) }

  /// What it says of a device of the kernel. A request in the middle of which the device goes can fail in any way; the next
  /// one tells. Transfers break off with EIO before the driver hears that its device is gone, so that is given a moment.
  package func fault(_ error: SystemCallError, _ path: String) -> CameraFault {
    let fault = CameraFault(error, of: path)
    guard case .failed = fault else { return fault }
    let deadline = MonotonicClock.now + (error.errno == .inputOutput ? timeToGo : 0)
    while true {
      do throws(SystemCallError) { _ = try picture() } catch {
        if CameraFault(error, of: path) == .unplugged { return .unplugged }
      }
      if MonotonicClock.now >= deadline { return fault }
      MonotonicClock.sleep(milliseconds: 10)
    }
  }
}
