// SPDX-License-Identifier: Apache-2.0

/// A file of a new app, as it is to be written.
package struct TemplateFile: Sendable, Equatable {
  /// Its path from the app's directory; slashes stand between directories.
  package var path: String
  /// Its permissions, before the person's mask takes from them.
  package var mode: UInt32
  /// What is in it.
  package var text: String
}
