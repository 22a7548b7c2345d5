// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What sets the speed.
package enum FramePace: Sendable {
  /// The source's own rate.
  case frameRate
  /// Only how fast frames are consumed.
  case consumption
}

/// Why a pump ended.
package enum PumpEnding: Equatable, Sendable {
  /// The source has no more frames, and all that had to be delivered were.
  case sourceEnded
  /// The host asked for it.
  case stopped
  /// Nobody reads the stream any more.
  case consumerGone
  /// The source failed.
  case failed(FrameSourceError)
}

/// A source on its way to the one thread that uses it.
///
/// It is Sendable because it is made from a source that was sent, and only the pump's thread looks inside.
final class HandedSource: @unchecked Sendable {
  /// The source.
  let source: any FrameSource

  /// Takes a source over.
  init(_ source: sending any FrameSource) { self.source = source }
}
