// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// The part of a ``RingPump`` that depends on the kind of capture, such as camera frames or blocks of sound.
///
/// One thread at a time uses a filler.
package protocol RingFiller: AnyObject, SendableMetatype {
  /// The geometry of the rings that it fills.
  associatedtype Geometry: RingGeometry
  /// The error type.
  associatedtype Fault: RingFault

  /// The name of the pump's thread; at most 15 characters.
  static var threadName: StaticString { get }
  /// The name of the source in messages.
  var name: String { get }
  /// The number of slots that it fills per second.
  var rate: FrameRate { get }
  /// The side that determines the pace.
  var clock: FrameClock { get }
  /// The capture time of the newest frame on ``MonotonicClock``, or `nil` if it is the time of the request.
  var frameTime: UInt64? { get }

  /// Fills the part of a slot that is specific to this kind of ring.
  ///
  /// A source that is waiting for a device or a writer returns as soon as `stop` is raised. It then throws an
  /// error with ``RingFault/isStop``.
  func fill(
    _ slot: UnsafeMutableRawBufferPointer,
    of layout: Geometry,
    stop: StopSignal
  ) throws(Fault) -> FrameOutcome

  /// Notifies the source that the contents of all slots were erased.
  func slotsWereErased()

  /// Suspends the source until the next frame is requested.
  func suspend()
}

/// The error of a source, as far as its pump needs to know it.
package protocol RingFault: Error, Equatable, Sendable {
  /// Creates an error from a system call that failed for a source.
  init(_ source: String, system: SystemCallError)
  /// Whether the host stopped the source while it was waiting, so that nothing failed.
  var isStop: Bool { get }
}
