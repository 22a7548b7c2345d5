// SPDX-License-Identifier: Apache-2.0

/// The paths of one app in the catalog.
struct AppPaths {
  /// The directory of the app: `apps/<id>`.
  let directory: String

  /// Creates the paths of an app.
  init(_ appsDirectory: String, _ id: String) { directory = "\(appsDirectory)/\(id)" }

  /// The directory of the installed copies, with one directory per generation.
  var bundles: String { "\(directory)/bundle" }
  /// Returns the path of an installed copy.
  func bundle(_ generation: Int64) -> String { "\(bundles)/\(generation)" }
  /// The directory of the files that the app shares with its extensions, with one directory per set.
  var assets: String { "\(directory)/assets" }
  /// The installation record.
  var record: String { "\(directory)/installation.json" }
  /// The directory of the pending session content.
  var content: String { "\(directory)/container/SessionContent" }

  /// All directories of an installed app, parents first.
  var all: [String] {
    [
      directory, bundles, "\(directory)/container", content, "\(directory)/container/SessionRecords",
      "\(directory)/context", "\(directory)/quarantine",
    ]
  }
}
