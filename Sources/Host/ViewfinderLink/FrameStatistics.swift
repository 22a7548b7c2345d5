// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Statistics about the frames of a viewfinder.
package struct FrameStatistics {
  /// The number of shown frames.
  package private(set) var shown: UInt64 = 0
  /// The number of frames that the extension has drawn but that were not shown.
  package private(set) var dropped: UInt64 = 0
  /// The sequence number of the last shown frame.
  private var last: UInt64 = 0
  /// The times of the first and the last shown frame, in nanoseconds.
  private var span: (first: UInt64, last: UInt64) = (0, 0)
  /// The times of recently shown frames.
  private var recent: [UInt64] = []

  /// The time span for the frame rate, in nanoseconds.
  private static let window: UInt64 = 2_000_000_000
  /// The upper bound of the counts. Sequence numbers come from the extension and are not trusted.
  private static let maximum: UInt64 = 999_999_999

  /// Creates statistics without frames.
  package init() {}

  /// Records that a frame was shown.
  package mutating func record(_ sequence: UInt64, at now: UInt64) {
    // Frames before the first shown one do not count as dropped.
    if shown > 0 {
      let missed = FrameRingLayout.dropped(last: last, newest: sequence)
      dropped = min(Self.maximum, dropped + min(Self.maximum, missed))
    } else {
      span.first = now
    }
    shown += 1
    last = sequence
    span.last = now
    recent.append(now)
  }

  /// Returns the frame rate of the last two seconds, in tenths of a frame per second.
  package mutating func frameRateTenths(at now: UInt64) -> UInt64 {
    recent.removeAll { now - $0 > Self.window }
    guard let first = recent.first, recent.count > 1 else { return 0 }
    return UInt64(recent.count - 1) * 10_000_000_000 / max(1, now - first)
  }

  /// Returns a status line with the state, the frame rate and the counts.
  package mutating func statusLine(_ state: String, at now: UInt64) -> String {
    "\(state)  \(Self.text(frameRateTenths(at: now))) frames/s  \(shown) shown  \(dropped) dropped"
  }

  /// The summary at the end of a session, before the outcome.
  package var summary: String {
    let time = max(1, span.last - span.first)
    let rate = shown > 1 ? Self.text((shown - 1) * 10_000_000_000 / time) : "0.0"
    return "viewfinder  \(shown) frame\(shown == 1 ? "" : "s") shown, \(dropped) dropped, \(rate) a second"
  }

  private static func text(_ tenths: UInt64) -> String { "\(tenths / 10).\(tenths % 10)" }
}
