// SPDX-License-Identifier: Apache-2.0

internal import CoreMedia
internal import Synchronization

/// The settings of a video data output. They may be used on any thread.
final class VideoDataSettings: Sendable {
  private let state = Mutex((format: CVPixelFormat.planar420FullRange, discardsLateFrames: true))

  init() {}

  /// The pixel format that the delegate receives.
  var format: CVPixelFormat {
    get { state.withLock { $0.format } }
    set { state.withLock { $0.format = newValue } }
  }

  /// Whether frames are dropped while the delegate processes another one.
  var discardsLateFrames: Bool {
    get { state.withLock { $0.discardsLateFrames } }
    set { state.withLock { $0.discardsLateFrames = newValue } }
  }
}
