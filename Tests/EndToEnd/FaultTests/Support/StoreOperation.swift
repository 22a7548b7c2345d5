// SPDX-License-Identifier: Apache-2.0

import Testing

/// A durable operation of the store worker and the commands that prepare it. `BUNDLE1` and `BUNDLE2` are
/// directories.
struct StoreOperation: Sendable, CustomTestStringConvertible {
  /// The name of the operation.
  let name: String
  /// The worker commands that prepare the root.
  let setupCommands: [[String]]
  /// The arguments of the worker.
  let arguments: [String]

  var testDescription: String { name }

  private init(_ name: String, after setupCommands: [String], _ arguments: String) {
    self.name = name
    self.setupCommands = setupCommands.map(Self.split)
    self.arguments = Self.split(arguments)
  }

  private static func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// All operations.
  static let all = [
    StoreOperation("first-session", after: [], "session small tell"),
    StoreOperation("full-session", after: ["session least", "session least"], "session full tell"),
    StoreOperation("launched-session", after: ["session least"], "launch small"),
    StoreOperation("renamed-files", after: ["session least"], "session renamed"),
    StoreOperation("many-files", after: ["session least"], "session many"),
    StoreOperation("empty-session", after: ["session least"], "session none"),
    StoreOperation("abandoned-session", after: ["session least"], "abandon"),
    StoreOperation("invalidate", after: ["session small"], "invalidate"),
    StoreOperation("post", after: ["prepare"], "post"),
    StoreOperation("install", after: ["prepare"], "install BUNDLE1 1"),
    StoreOperation("update", after: ["install BUNDLE1 1"], "update BUNDLE2 2"),
    StoreOperation(
      "uninstall",
      after: ["install BUNDLE1 1", "session small", "context set old"],
      "uninstall"
    ),
    StoreOperation("context-set", after: ["prepare", "context set old"], "context set new"),
    StoreOperation("context-replace", after: ["prepare", "context set old"], "context replace old new"),
    StoreOperation("context-clear", after: ["prepare", "context set old"], "context clear"),
    StoreOperation("ingest", after: ["session least", "ingest"], "ingest"),
    StoreOperation("first-ingest", after: ["session least"], "ingest stays"),
  ]

  /// Returns the operation with a name, or `nil` if there is none.
  static func named(_ name: String) -> StoreOperation? { all.first { $0.name == name } }
}
