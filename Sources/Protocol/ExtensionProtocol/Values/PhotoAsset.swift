// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// One thing in the photo library.
package struct PhotoAsset: WireValue, Hashable {
  /// What it is called by programs; it never changes.
  package var id: String
  /// What people call it.
  package var title: String
  /// What it is.
  package var mediaType: PhotoMediaType
  /// Its size.
  package var bytes: Int64
  /// When it was made, in milliseconds since 1970.
  package var createdAt: Int64
  /// The UUID of the session that added it; nil if it was none.
  package var session: String?
  /// Whether that is the session that asks.
  package var ownSession: Bool

  /// Describes an asset.
  package init(
    id: String,
    title: String,
    mediaType: PhotoMediaType,
    bytes: Int64,
    createdAt: Int64,
    session: String?,
    ownSession: Bool
  ) {
    self.id = id
    self.title = title
    self.mediaType = mediaType
    self.bytes = bytes
    self.createdAt = createdAt
    self.session = session
    self.ownSession = ownSession
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    id = try fields.string("id")
    title = try fields.string("title")
    mediaType = try fields.choice("mediaType")
    bytes = Int64(try fields.integer("bytes", in: 0...Int.max))
    createdAt = Int64(try fields.integer("createdAt", in: 0...Int.max))
    session = try fields.ifPresent("session", FieldReader.string)
    ownSession = try fields.flag("ownSession")
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "mediaType": .string(mediaType.rawValue),
      "bytes": .integer(bytes), "createdAt": .integer(createdAt),
      "session": session.map(JSONValue.string) ?? .null, "ownSession": .bool(ownSession),
    ]
  }
}

/// The result of `photos/authorization`.
package struct PhotoAuthorizationResult: WireValue {
  /// What is allowed.
  package var status: PermissionStatus

  /// Makes a result.
  package init(status: PermissionStatus) { self.status = status }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) { status = try fields.choice("status") }

  /// Writes it.
  package var json: JSONValue { ["status": .string(status.rawValue)] }
}

/// The result of `photos/add`.
package struct PhotoAddResult: WireValue {
  /// What the file has become.
  package var asset: PhotoAsset

  /// Makes a result.
  package init(asset: PhotoAsset) { self.asset = asset }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    asset = try PhotoAsset(from: try fields.object("asset"))
  }

  /// Writes it.
  package var json: JSONValue { ["asset": asset.json] }
}

/// The result of `photos/list`.
package struct PhotoListResult: WireValue {
  /// Some of the assets, newest first.
  package var assets: [PhotoAsset]
  /// What to ask for as `after` to get the next ones; nil: these were the last.
  package var next: String?

  /// Makes a result.
  package init(assets: [PhotoAsset], next: String? = nil) {
    self.assets = assets
    self.next = next
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    assets = try fields.objects("assets").map { fields throws(ProtocolViolation) in
      try PhotoAsset(from: fields)
    }
    next = try fields.ifPresent("next", FieldReader.string)
  }

  /// Writes it.
  package var json: JSONValue {
    .object(["assets": .array(assets.map(\.json)), "next": next.map(JSONValue.string)])
  }
}

/// The result of `photos/open`.
package struct PhotoOpenResult: WireValue {
  /// Where the extension finds the file, below the library directory.
  package var path: String

  /// Makes a result.
  package init(path: String) { self.path = path }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) { path = try fields.string("path") }

  /// Writes it.
  package var json: JSONValue { ["path": .string(path)] }
}
