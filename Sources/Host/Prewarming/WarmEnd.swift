// SPDX-License-Identifier: Apache-2.0

/// Why an extension does not wait any more.
package enum WarmEnd: String, CaseIterable, Hashable, Sendable {
  /// It was launched.
  case launched
  /// It has waited as long as any may.
  case expired
  /// It ended, or closed its end.
  case died
  /// It sent something before it was told anything.
  case spoke
  /// It made something in the session directory, with a name or without, before there was anything to capture.
  case wrote
  /// It broke a limit of its policy.
  case exceeded
  /// The file system has no more left than what no session takes.
  case full
  /// Something that it was started with is other than it was.
  case changed
  /// Others needed its place.
  case evicted
  /// Nothing is to wait any more.
  case dismissed
}
