// SPDX-License-Identifier: Apache-2.0

/// What sets the speed.
package enum FramePace: Sendable {
  /// The source's own rate.
  case frameRate
  /// Only how fast frames are consumed.
  case consumption
}

/// Why a pump ended.
package enum PumpEnding<Fault: Error & Equatable & Sendable>: Equatable, Sendable {
  /// The source has no more, and all that had to be delivered was.
  case sourceEnded
  /// The host asked for it.
  case stopped
  /// Nobody reads the stream any more.
  case consumerGone
  /// The source failed.
  case failed(Fault)
}

/// A source on its way to the one thread that uses it.
///
/// It is Sendable because it is made from a source that was sent, and only the pump's thread looks inside.
final class HandedSource<Source>: @unchecked Sendable {
  /// The source.
  let source: Source

  /// Takes a source over.
  init(_ source: sending Source) { self.source = source }
}
