// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// What asking a source for a frame brought.
package enum FrameOutcome: Equatable, Sendable {
  /// The slot holds the next frame.
  case frame
  /// There are no more frames.
  case end
}

/// Where frames come from: a picture, a stream, a pattern.
///
/// A source is used by one thread at a time.
package protocol FrameSource: AnyObject {
  /// What the host's person calls it: the file's path, or `pattern`.
  var name: String { get }
  /// What the person selects it by, and what the record of its use names; the same device has the same wherever it is.
  var device: String { get }
  /// What an extension is told that it is called. Never where it is: a path names folders and films of the person.
  var title: String { get }
  /// The size, rate and range of its frames. Only the rate of a camera can change, while a frame is asked for.
  var geometry: FrameGeometry { get }
  /// What sets the speed of its frames.
  var clock: FrameClock { get }
  /// When the newest frame was taken, on ``MonotonicClock``; nil: when it was asked for.
  var frameTime: UInt64? { get }

  /// Writes the next frame to the planes of a slot, which are where `layout` says.
  ///
  /// Nobody else writes to a slot: the next time it is given it still has what the source has left there, unless
  /// ``slotsWereErased()`` was called. A source that remembers need not write that again.
  ///
  /// A source that waits for somebody else gives up as soon as `stop` is raised, with the reason
  /// ``FrameSourceError/Reason/stopped``.
  func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome

  /// What was written to slots is there no more.
  func slotsWereErased()

  /// No frame is wanted until the next is asked for.
  func rest()

  /// What can be set while frames flow, for a thread of its own; nil: nothing can.
  func settings() -> sending (any CameraSettings)?
}

/// What sets the speed of a source's frames.
package enum FrameClock: Sendable {
  /// Whoever takes them: they are there when they are asked for.
  case taker
  /// The source itself, as a camera does: a frame is due as soon as it is there.
  case source
}

extension FrameSource {
  /// What the host's person calls it: most sources are no devices.
  package var device: String { name }
  /// Whoever takes the frames: most sources have them already.
  package var clock: FrameClock { .taker }
  /// When it was asked for.
  package var frameTime: UInt64? { nil }
  /// Does nothing: most sources write every frame anew.
  package func slotsWereErased() {}
  /// Does nothing: most sources do nothing that costs anything, or shows.
  package func rest() {}
  /// Nothing: most sources are no devices.
  package func settings() -> sending (any CameraSettings)? { nil }
}

/// A word that ends all waiting: once raised it stays raised.
package final class StopSignal: Sendable {
  /// A descriptor that is readable from the moment on.
  package let descriptor: Descriptor

  /// Makes a signal that is not raised.
  package init() throws(SystemCallError) { descriptor = try EventCounter.make() }

  /// Makes a signal that another descriptor raises by being readable, for example one that reports the host's signals.
  package init(raisedBy other: borrowing Descriptor) throws(SystemCallError) {
    descriptor = try other.duplicate()
  }

  /// Ends all waiting. It cannot fail: a counter that is full is readable too.
  package func raise() { try? EventCounter.add(to: descriptor) }

  /// Waits until `descriptor` is ready or the time comes; false if the signal was raised first.
  package func wait(
    for other: Int32,
    _ interest: Readiness,
    until deadline: UInt64? = nil
  ) throws(SystemCallError) -> Bool {
    let found = try Poller.wait([(other, interest), (descriptor.rawValue, .readable)], until: deadline)
    return found[1].isEmpty
  }
}
