// SPDX-License-Identifier: Apache-2.0

internal import Digests
package import JSONText
internal import LinuxPrimitives

/// What the catalog writes down of an installed app; the file's appearance is the moment of installation.
struct InstallationRecord: Sendable, Hashable {
  /// The app's id.
  var app: String
  /// The directory below `bundle` that holds the copy.
  var generation: Int64
  /// When it was installed, in milliseconds since 1970.
  var installedAt: Int64
  /// The digest of `app.json`.
  var manifest: SHA256Digest
  /// The extensions, in the bundle's order.
  var extensions: [Extension]

  /// What is pinned of one extension.
  struct Extension: Sendable, Hashable {
    /// The extension's id.
    var id: String
    /// Its directory, from the bundle's.
    var directory: String
    /// The digests of its files.
    var pinned: PinnedDigests
  }

  /// The version of the file's format.
  static let version: Int64 = 1
  /// The largest file that is looked at; a bundle has at most so many extensions.
  static let limits = JSONLimits(bytes: 1 << 24, depth: 8)

  /// The file's text.
  var bytes: [UInt8] {
    let list = extensions.map { found -> JSONValue in
      .object([
        "id": .string(found.id),
        "directory": .string(found.directory),
        "executable": found.pinned.executable.map { .string($0.description) },
        "links": found.pinned.links.isEmpty ? nil : .array(found.pinned.links.map(\.json)),
        "manifest": .string(found.pinned.manifest.description),
        "policy": found.pinned.policy.map { .string($0.description) },
      ])
    }
    let document: JSONValue = [
      "version": .integer(Self.version),
      "app": .string(app),
      "generation": .integer(generation),
      "installed": .string(WallClock.text(milliseconds: installedAt)),
      "installedMilliseconds": .integer(installedAt),
      "manifest": .string(manifest.description),
      "extensions": .array(list),
    ]
    return document.bytes(.indented)
  }

  /// Reads the text of an app's file.
  init(_ bytes: [UInt8], of id: String) throws(InstallationDamageError) {
    let document: JSONValue
    do {
      document = try JSONNode.parse(bytes, limits: Self.limits).value
    } catch {
      throw InstallationDamageError(damage: .syntax(JSONSyntaxErrorText(error), error.position))
    }
    let version = try Self.required(document["version"]?.integer, "version")
    guard version == Self.version else { throw InstallationDamageError(damage: .version(version)) }
    app = try Self.required(document["app"]?.string, "app")
    guard app == id else { throw InstallationDamageError(damage: .key("app")) }
    generation = try Self.required(document["generation"]?.integer, "generation")
    installedAt = try Self.required(document["installedMilliseconds"]?.integer, "installedMilliseconds")
    manifest = try Self.required(document["manifest"]?.string.flatMap { SHA256Digest($0) }, "manifest")
    extensions = []
    for element in try Self.required(document["extensions"]?.elements, "extensions") {
      extensions.append(try Self.pinned(element))
    }
  }

  /// Makes a record.
  init(app: String, generation: Int64, manifest: SHA256Digest, extensions: [Extension]) {
    self.app = app
    self.generation = generation
    self.installedAt = WallClock.milliseconds
    self.manifest = manifest
    self.extensions = extensions
  }

  private static func pinned(_ value: JSONValue) throws(InstallationDamageError) -> Extension {
    let policy = try value["policy"].map { value throws(InstallationDamageError) in
      try required(value.string.flatMap { SHA256Digest($0) }, "extensions.policy")
    }
    let links = try (value["links"]?.elements ?? []).map { link throws(InstallationDamageError) in
      ProgramLink(
        path: try required(link["path"]?.string, "extensions.links.path"),
        target: try required(link["target"]?.string, "extensions.links.target")
      )
    }
    // Only a link can lead to a program that has no digest here.
    let isOfHost = !links.isEmpty && value["executable"] == nil
    let digests = PinnedDigests(
      executable: isOfHost ? nil : try digest(value, "executable"),
      links: links,
      manifest: try digest(value, "manifest"),
      policy: policy
    )
    let id = try required(value["id"]?.string, "extensions.id")
    return Extension(
      id: id,
      directory: try required(value["directory"]?.string, "extensions.directory"),
      pinned: digests
    )
  }

  private static func digest(_ value: JSONValue, _ key: String) throws(InstallationDamageError)
    -> SHA256Digest
  {
    try required(value[key]?.string.flatMap { SHA256Digest($0) }, "extensions.\(key)")
  }

  private static func required<Value>(_ value: Value?, _ key: String) throws(InstallationDamageError) -> Value
  {
    guard let value else { throw InstallationDamageError(damage: .key(key)) }
    return value
  }
}

extension ProgramLink {
  /// The link as data.
  package var json: JSONValue { ["path": .string(path), "target": .string(target)] }
}

/// Damage, thrown.
struct InstallationDamageError: Error {
  /// The damage.
  let damage: InstallationDamage
}
