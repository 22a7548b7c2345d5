// SPDX-License-Identifier: Apache-2.0

/// The pace of published frames.
package enum FramePace: Sendable {
  /// The frame rate of the source.
  case frameRate
  /// As fast as frames are consumed.
  case consumption
}

/// The reason why a pump ended.
package enum PumpCompletion<Fault: Error & Equatable & Sendable>: Equatable, Sendable {
  /// The source has no more frames, and all frames that had to be delivered were.
  case sourceEnded
  /// The host stopped the pump.
  case stopped
  /// The reader of the stream closed it.
  case consumerClosed
  /// The source failed.
  case failed(Fault)
}

/// A source that is transferred to the one thread that uses it.
///
/// It is `Sendable` because it is created from a sent source, and only the thread of the pump accesses the
/// source.
final class TransferredSource<Source>: @unchecked Sendable {
  let source: Source

  /// Creates a wrapper that owns a source.
  init(_ source: sending Source) { self.source = source }
}
