// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import Digests
internal import JSONText

extension AuditPart {
  /// Returns the part about an app, apart from its extensions.
  package static func of(_ app: InstalledApp, digest: SHA256Digest) -> AuditPart {
    let manifest = app.manifest
    let controls = manifest.controls.map { "\($0.id): \($0.title)" }
    let facts = [
      AuditFact("app", "\(manifest.name) (\(manifest.id))"),
      AuditFact("installed (UTC)", TimestampText.short(app.installedAt)),
      AuditFact("bundle", app.bundlePath),
      AuditFact("digest of the bundle", "\(digest)"),
      AuditFact("opened by", manifest.open.isEmpty ? "no command" : manifest.open.joined(separator: " ")),
      AuditFact(
        "app groups",
        manifest.groups.isEmpty ? "none" : manifest.groups.joined(separator: ", ")
      ),
      AuditFact("controls", controls.isEmpty ? "none" : controls.joined(separator: ", ")),
      AuditFact("extensions", app.extensions.map(\.manifest.id).joined(separator: ", ")),
    ]
    let section = AuditSection(
      id: "app",
      title: "App that receives the captures",
      blocks: [
        .facts(facts),
        .text(
          "The app itself is not sandboxed: this report covers its extensions. An extension cannot access the app "
            + "container or a group container."
        ),
      ],
      data: [
        "name": .string(manifest.name),
        "bundle": .string(app.bundlePath),
        "bundleDigest": .string("\(digest)"),
        "installedAt": TimestampText.json(app.installedAt),
        "open": .array(manifest.open.map(JSONValue.string)),
        "groups": .array(manifest.groups.map(JSONValue.string)),
        "controls": .array(manifest.controls.map { .string($0.id) }),
        "extensions": .array(app.extensions.map { .string($0.manifest.id) }),
      ]
    )
    return AuditPart(id: manifest.id, title: "\(manifest.name) (\(manifest.id))", sections: [section])
  }
}
