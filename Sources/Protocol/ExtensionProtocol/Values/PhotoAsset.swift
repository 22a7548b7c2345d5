// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// An asset of the photo library.
package struct PhotoAsset: WireValue, Hashable {
  /// The asset's permanent ID.
  package var id: String
  /// The title for the user.
  package var title: String
  package var mediaType: PhotoMediaType
  /// The size in bytes.
  package var bytes: Int64
  /// The time of creation, in milliseconds since 1970.
  package var createdAt: Int64
  /// The UUID of the session that added the asset, or `nil` if no session did.
  package var session: String?
  /// Whether the requesting session added the asset.
  package var ownSession: Bool

  /// Creates an asset.
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

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    id = try fields.string("id")
    title = try fields.string("title")
    mediaType = try fields.choice("mediaType")
    bytes = Int64(try fields.integer("bytes", in: 0...Int.max))
    createdAt = Int64(try fields.integer("createdAt", in: 0...Int.max))
    session = try fields.ifPresent("session", FieldReader.string)
    ownSession = try fields.flag("ownSession")
  }

  /// The value as JSON.
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
  /// The permission.
  package var status: PermissionStatus

  /// Creates a result.
  package init(status: PermissionStatus) { self.status = status }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) { status = try fields.choice("status") }

  /// The value as JSON.
  package var json: JSONValue { ["status": .string(status.rawValue)] }
}

/// The result of `photos/add`.
package struct PhotoAddResult: WireValue {
  /// The new asset.
  package var asset: PhotoAsset

  /// Creates a result.
  package init(asset: PhotoAsset) { self.asset = asset }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    asset = try PhotoAsset(from: try fields.object("asset"))
  }

  /// The value as JSON.
  package var json: JSONValue { ["asset": asset.json] }
}

/// The result of `photos/list`.
package struct PhotoListResult: WireValue {
  /// A part of the list of assets, newest first.
  package var assets: [PhotoAsset]
  /// The value of `after` that continues the list, or `nil` if the list is complete.
  package var next: String?

  /// Creates a result.
  package init(assets: [PhotoAsset], next: String? = nil) {
    self.assets = assets
    self.next = next
  }

  /// Creates a result from the first assets that fit into the line of the reply to a request.
  ///
  /// - Parameters:
  ///   - assets: The assets, newest first.
  ///   - next: The value of `after` that continues the list after all of them, or `nil` if the list is complete.
  ///   - id: The ID of the request.
  package init(fitting assets: [PhotoAsset], next: String?, replyingTo id: RequestID) {
    let longest = assets.map(\.id).max { $0.utf8.count < $1.utf8.count }
    let empty = HostMessage.reply(Reply(id: id, result: PhotoListResult(assets: [], next: longest ?? next)))
    // The line ends with a newline, which does not count.
    var space = ProtocolLimits.lineBytes + 1 - empty.line.count
    let fitting = assets.prefix { asset in
      // A comma separates the assets.
      space -= asset.json.bytes().count + 1
      return space >= 0
    }
    // A list without assets would not continue.
    let first = fitting.isEmpty ? assets.prefix(1) : fitting
    self.init(assets: Array(first), next: first.count < assets.count ? first.last?.id : next)
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    assets = try fields.objects("assets").map { fields throws(ProtocolViolation) in
      try PhotoAsset(from: fields)
    }
    next = try fields.ifPresent("next", FieldReader.string)
  }

  /// The value as JSON.
  package var json: JSONValue {
    .object(["assets": .array(assets.map(\.json)), "next": next.map(JSONValue.string)])
  }
}

/// The result of `photos/open`.
package struct PhotoOpenResult: WireValue {
  /// The path of the file below the library directory.
  package var path: String

  /// Creates a result.
  package init(path: String) { self.path = path }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) { path = try fields.string("path") }

  /// The value as JSON.
  package var json: JSONValue { ["path": .string(path)] }
}
