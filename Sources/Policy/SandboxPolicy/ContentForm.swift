// SPDX-License-Identifier: Apache-2.0

/// A form in which the content of a session is delivered to its app.
package enum ContentForm: String, CaseIterable, Sendable, Hashable {
  /// Names, depth and holes are limited, so that other programs can open the content.
  case portable
  /// Names, depth and holes stay as the extension created them.
  case asWritten
}
