// SPDX-License-Identifier: Apache-2.0

/// Where the catalog keeps what belongs to one app.
struct AppPlaces {
  /// Everything of the app: `apps/<id>`.
  let directory: String

  /// The places of an app.
  init(_ appsDirectory: String, _ id: String) { directory = "\(appsDirectory)/\(id)" }

  /// The installed copies, one directory a generation.
  var bundles: String { "\(directory)/bundle" }
  /// One installed copy.
  func bundle(_ generation: Int64) -> String { "\(bundles)/\(generation)" }
  /// What the app shares with its extensions, one directory a set.
  var assets: String { "\(directory)/assets" }
  /// What was installed.
  var record: String { "\(directory)/installation.json" }
  /// Where content waits for the app.
  var content: String { "\(directory)/container/SessionContent" }

  /// All directories that an installed app has, parents first.
  var all: [String] {
    [
      directory, bundles, "\(directory)/container", content, "\(directory)/container/SessionRecords",
      "\(directory)/context", "\(directory)/quarantine",
    ]
  }
}
