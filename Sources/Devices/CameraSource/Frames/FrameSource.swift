// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// The result of requesting a frame from a source.
package enum FrameOutcome: Equatable, Sendable {
  /// The slot contains the next frame.
  case frame
  /// The source has no more frames.
  case end
}

/// A source of frames: a still image, a stream, a test pattern or a camera.
///
/// One thread at a time uses a source.
package protocol FrameSource: AnyObject {
  /// The name of the source on the host: the path of the file or device, or `pattern`.
  var name: String { get }
  /// The stable identifier by which the user selects the source and which the record of its use names. It
  /// does not depend on the device path.
  var device: String { get }
  /// The name of the source that the extension receives. It never contains a path, because paths reveal names
  /// of the user's directories and files.
  var title: String { get }
  /// The size, rate and range of the frames. Only the rate of a camera can change, and only while a frame is
  /// requested.
  var geometry: FrameGeometry { get }
  /// The side that determines the pace of the frames.
  var clock: FrameClock { get }
  /// The capture time of the newest frame on ``MonotonicClock``, or `nil` if it is the time of the request.
  var frameTime: UInt64? { get }

  /// Writes the next frame to the planes of a slot, at the offsets of `layout`.
  ///
  /// Only the source writes to a slot. On the next request with the same slot, the slot still contains what
  /// the source wrote, unless ``slotsWereErased()`` was called. A source can therefore skip writing the same
  /// pixels again.
  ///
  /// A source that is waiting for a device or a writer returns as soon as `stop` is raised. It then throws
  /// the reason ``FrameSourceError/Reason/stopped``.
  func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome

  /// Notifies the source that the contents of all slots were erased.
  func slotsWereErased()

  /// Suspends the source until the next frame is requested.
  func suspend()

  /// Returns the settings that can be adjusted while frames are captured, for use on another thread, or `nil`
  /// if there are none.
  func settings() -> sending (any CameraSettings)?
}

/// The side that determines the pace of a source's frames.
package enum FrameClock: Sendable {
  /// The consumer: the source has a frame whenever one is requested.
  case consumer
  /// The source, such as a camera: a frame is due as soon as it is captured.
  case source
}

extension FrameSource {
  /// The name; most sources are not devices.
  package var device: String { name }
  /// The consumer; most sources have all their frames already.
  package var clock: FrameClock { .consumer }
  /// `nil`: the time of the request.
  package var frameTime: UInt64? { nil }
  /// Does nothing; most sources write each frame in full.
  package func slotsWereErased() {}
  /// Does nothing; most sources use no resources while idle.
  package func suspend() {}
  /// Returns `nil`; most sources are not devices.
  package func settings() -> sending (any CameraSettings)? { nil }
}

/// A one-shot signal that ends all waits. Once raised, it stays raised.
package final class StopSignal: Sendable {
  /// A descriptor that is readable once the signal is raised.
  package let descriptor: Descriptor

  /// Creates a signal that is not raised.
  package init() throws(SystemCallError) { descriptor = try EventCounter.make() }

  /// Creates a signal that is raised while another descriptor is readable, for example one that reports
  /// signals of the host.
  package init(raisedBy other: borrowing Descriptor) throws(SystemCallError) {
    descriptor = try other.duplicate()
  }

  /// Raises the signal. A failed write is ignored: the counter is then full, and thus readable.
  package func raise() { try? EventCounter.add(to: descriptor) }

  /// Waits until `other` is ready or the deadline has passed. Returns `false` if the signal was raised first.
  package func wait(
    for other: Int32,
    _ interest: Readiness,
    until deadline: UInt64? = nil
  ) throws(SystemCallError) -> Bool {
    let found = try Poller.wait([(other, interest), (descriptor.rawValue, .readable)], until: deadline)
    return found[1].isEmpty
  }
}
