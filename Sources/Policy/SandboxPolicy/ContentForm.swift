// SPDX-License-Identifier: Apache-2.0

/// A form in which the content of a session is delivered to its app.
package enum ContentForm: String, CaseIterable, Sendable, Hashable {
  /// So that other programs can open it: names, depth and holes are bounded.
  case portable
  /// With the names, the depth and the holes that the extension chose.
  case asWritten
}
