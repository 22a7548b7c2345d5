// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What is counted of the frames of a viewfinder, and what is said of them.
package struct ShownFrames {
  /// How many were shown.
  package private(set) var shown: UInt64 = 0
  /// How many the extension has drawn that were not.
  package private(set) var dropped: UInt64 = 0
  /// The number of the last.
  private var last: UInt64 = 0
  /// When the first was shown, and the last, in nanoseconds.
  private var span: (first: UInt64, last: UInt64) = (0, 0)
  /// When the last few were shown.
  private var recent: [UInt64] = []

  /// How far back the rate looks, in nanoseconds.
  private static let window: UInt64 = 2_000_000_000
  /// More than this is no count: the numbers of frames are the extension's word.
  private static let most: UInt64 = 999_999_999

  /// Begins with none.
  package init() {}

  /// A frame was shown.
  package mutating func note(_ sequence: UInt64, at now: UInt64) {
    // What was drawn before the first was not there to be shown.
    if shown > 0 {
      let missed = FrameRingLayout.dropped(last: last, newest: sequence)
      dropped = min(Self.most, dropped + min(Self.most, missed))
    } else {
      span.first = now
    }
    shown += 1
    last = sequence
    span.last = now
    recent.append(now)
  }

  /// Frames a second in the last two seconds, in tenths.
  package mutating func tenths(at now: UInt64) -> UInt64 {
    recent.removeAll { now - $0 > Self.window }
    guard let first = recent.first, recent.count > 1 else { return 0 }
    return UInt64(recent.count - 1) * 10_000_000_000 / max(1, now - first)
  }

  /// How it goes.
  package mutating func news(_ state: String, at now: UInt64) -> String {
    "\(state)  \(Self.text(tenths(at: now))) frames/s  \(shown) shown  \(dropped) dropped"
  }

  /// What is left to say at the end, before the outcome.
  package var total: String {
    let time = max(1, span.last - span.first)
    let rate = shown > 1 ? Self.text((shown - 1) * 10_000_000_000 / time) : "0.0"
    return "viewfinder  \(shown) frames shown, \(dropped) dropped, \(rate) a second"
  }

  private static func text(_ tenths: UInt64) -> String { "\(tenths / 10).\(tenths % 10)" }
}
