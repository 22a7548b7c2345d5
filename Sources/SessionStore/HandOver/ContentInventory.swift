// SPDX-License-Identifier: Apache-2.0

/// What verification found that may reach the app.
struct ContentInventory {
  /// The regular files.
  var files: [SessionRecord.File] = []
  /// The number of directories, with the content directory.
  var directories = 0
  /// What was made ordinary.
  var normalised: [SessionRecord.Normalised] = []
}
