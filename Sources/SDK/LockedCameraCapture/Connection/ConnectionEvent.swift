// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// An event of a running extension.
package enum ConnectionEvent: Equatable {
  /// A notification from the host.
  case notification(HostNotification)
  /// Unhandled frames or sound are available, or the main thread has work.
  case ready(frames: Bool, sound: Bool, work: Bool)
  /// The deadline has passed.
  case timedOut
  /// The host has closed the connection.
  case closed
}

/// Whether to wait for frames.
package enum FrameInterest {
  /// Do not wait for frames.
  case none
  /// Wait until this eventfd announces the next frame; the caller resets the eventfd.
  case next(descriptor: Int32)
  /// A frame is available: check for messages, but do not wait.
  case pending

  /// Whether a frame is available.
  var isPending: Bool { if case .pending = self { true } else { false } }
}
