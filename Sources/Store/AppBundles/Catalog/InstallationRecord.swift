// SPDX-License-Identifier: Apache-2.0

internal import Digests
package import JSONText
internal import LinuxPrimitives

/// The record of an installed app. An app is installed when its record exists.
struct InstallationRecord: Sendable, Hashable {
  /// The ID of the app.
  var app: String
  /// The name of the directory below `bundle` that contains the copy.
  var generation: Int64
  /// The time of the installation, in milliseconds since 1970.
  var installedAt: Int64
  /// The digest of `app.json`.
  var manifest: SHA256Digest
  /// The extensions, in the order of the bundle.
  var extensions: [Extension]

  /// The record of one extension.
  struct Extension: Sendable, Hashable {
    /// The ID of the extension.
    var id: String
    /// The directory of the extension, relative to the bundle.
    var directory: String
    /// The digests of the extension's files.
    var pinned: PinnedDigests
  }

  /// The version of the file format.
  static let version: Int64 = 1
  /// The limits for reading the file. They suffice for the maximum number of extensions of a bundle.
  static let limits = JSONLimits(bytes: 1 << 24, depth: 8)

  /// The contents of the file.
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

  /// Reads the record of an app.
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

  /// Creates a record with the current time.
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
    // A program without a digest is a program of the host, to which only a link can lead.
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
  /// The link as JSON.
  package var json: JSONValue { ["path": .string(path), "target": .string(target)] }
}

/// An error that carries installation damage.
struct InstallationDamageError: Error {
  /// The damage that the error reports.
  let damage: InstallationDamage
}
