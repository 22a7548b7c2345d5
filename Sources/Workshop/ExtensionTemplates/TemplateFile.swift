// SPDX-License-Identifier: Apache-2.0

/// A generated file of a new app.
package struct TemplateFile: Sendable, Equatable {
  /// The path relative to the directory of the app, separated by slashes.
  package var path: String
  /// The permissions, before the user's umask is applied.
  package var mode: UInt32
  /// The contents.
  package var text: String
}
