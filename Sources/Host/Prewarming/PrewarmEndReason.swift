// SPDX-License-Identifier: Apache-2.0

/// The reason why an extension is no longer prewarmed.
package enum PrewarmEndReason: String, CaseIterable, Hashable, Sendable {
  /// The extension was launched.
  case launched
  /// The maximum age was reached.
  case expired
  /// The extension exited, or closed its end of the channel.
  case exited
  /// The extension sent a message before it received one.
  case sentMessage
  /// The extension created content with or without a name in the session directory before its launch.
  case wroteContent
  /// The extension exceeded a limit of its policy.
  case exceeded
  /// The file system has no free space beyond its reserve.
  case full
  /// The configuration with which the extension was started has changed.
  case changed
  /// The slot was needed for another extension.
  case evicted
  /// Prewarming was stopped.
  case dismissed
}
