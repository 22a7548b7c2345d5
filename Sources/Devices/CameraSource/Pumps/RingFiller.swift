// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// What a ``RingPump`` needs of a kind of capture: frames of a camera, blocks of sound, and what may come after them.
///
/// A filler is used by one thread at a time.
package protocol RingFiller: AnyObject, SendableMetatype {
  /// What the header of its rings says.
  associatedtype Geometry: RingGeometry
  /// Why it can fail.
  associatedtype Fault: RingFault

  /// What the thread of its pump is called, in fifteen letters at most.
  static var threadName: StaticString { get }
  /// What people call its source.
  var name: String { get }
  /// How many slots it fills in a second.
  var rate: FrameRate { get }
  /// What sets the speed.
  var clock: FrameClock { get }
  /// When the newest was taken, on ``MonotonicClock``; nil: when it was asked for.
  var frameTime: UInt64? { get }

  /// Fills a slot, beyond what all rings have in theirs.
  ///
  /// A source that waits for somebody else gives up as soon as `stop` is raised, with a fault that says so
  /// (``RingFault/isStop``).
  func fill(
    _ slot: UnsafeMutableRawBufferPointer,
    of layout: Geometry,
    stop: StopSignal
  ) throws(Fault) -> FrameOutcome

  /// What was written to slots is there no more.
  func slotsWereErased()

  /// Nothing is wanted until the next is asked for.
  func rest()
}

/// Why a source gives nothing, as far as its pump has to know.
package protocol RingFault: Error, Equatable, Sendable {
  /// A system call has failed for this source.
  init(_ source: String, system: SystemCallError)
  /// Whether nothing has failed: the host asked for the end while the source was waiting.
  var isStop: Bool { get }
}
