// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A level of access to the photo library.
package enum PhotoAccessLevel: String, CaseIterable, Sendable {
  /// Permission to add assets.
  case addOnly
  /// Permission to read, add and change assets.
  case readWrite
}

/// The media type of an asset.
package enum PhotoMediaType: String, CaseIterable, Sendable {
  /// An image.
  case image
  /// A video.
  case video
  /// Sound.
  case audio
  /// Any other type.
  case other
}

/// A request from an extension for the photo library.
package enum PhotoRequest: Equatable, Sendable {
  /// Query the permission for a level, without prompting the user. The result is
  /// ``PhotoAuthorizationResult``.
  case authorization(PhotoAccessLevel)
  /// Add a file of the session directory to the library. The result is ``PhotoAddResult``.
  case add(PhotoAddition)
  /// List the assets that the extension may read, newest first, after the one with this ID. The result is
  /// ``PhotoListResult``.
  case list(after: String?, limit: Int)
  /// Expose the file of an asset. The result is ``PhotoOpenResult``.
  case open(asset: String)
  /// Delete an asset. The result is ``EmptyResult``.
  case delete(asset: String)

  /// The method of the request.
  package var method: ExtensionMethod {
    switch self {
    case .authorization: .photosAuthorization
    case .add: .photosAdd
    case .list: .photosList
    case .open: .photosOpen
    case .delete: .photosDelete
    }
  }

  /// The parameters of the message.
  var parameters: JSONValue {
    switch self {
    case .authorization(let level): .object(["level": .string(level.rawValue)])
    case .add(let addition): addition.json
    case .list(let after, let limit):
      .object(["after": after.map(JSONValue.string), "limit": .integer(Int64(limit))])
    case .open(let asset), .delete(let asset): .object(["asset": .string(asset)])
    }
  }

  /// Creates a request from its method and parameters.
  init(_ method: ExtensionMethod, _ fields: FieldReader) throws(ProtocolViolation) {
    switch method {
    case .photosAuthorization: self = .authorization(try fields.choice("level"))
    case .photosAdd: self = .add(try PhotoAddition(from: fields))
    case .photosList:
      self = .list(
        after: try fields.ifPresent("after", FieldReader.string),
        limit: try fields.integer("limit", in: 1...ProtocolLimits.assetsPerList)
      )
    case .photosOpen: self = .open(asset: try fields.string("asset"))
    case .photosDelete: self = .delete(asset: try fields.string("asset"))
    default: throw fields.violation(.outOfOrder(expected: "a photo library request"))
    }
  }
}

/// The parameters of `photos/add`: a file to add to the photo library.
package struct PhotoAddition: WireValue, Hashable {
  /// The path of the file relative to the session directory.
  package var path: String
  /// The title for the user, or `nil` for the file's name.
  package var title: String?
  /// The media type, or `nil` to detect it from the file's content.
  package var mediaType: PhotoMediaType?
  /// Whether the file is moved out of the session directory instead of copied.
  package var move: Bool
  /// The time of creation in milliseconds since 1970, or `nil` for the current time.
  package var createdAt: Int64?

  /// The possible times of an asset. Its directory is named by the year, which must have at most four digits.
  package static let times: ClosedRange<Int64> = 0...253_402_300_799_999

  /// Creates an addition.
  package init(
    path: String,
    title: String? = nil,
    mediaType: PhotoMediaType? = nil,
    move: Bool = false,
    createdAt: Int64? = nil
  ) {
    self.path = path
    self.title = title
    self.mediaType = mediaType
    self.move = move
    self.createdAt = createdAt
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    path = try fields.string("path")
    title = try fields.ifPresent("title", FieldReader.string)
    mediaType = try fields.ifPresent("mediaType", FieldReader.choice)
    move = try fields.ifPresent("move", FieldReader.flag) ?? false
    let times = Int(Self.times.lowerBound)...Int(Self.times.upperBound)
    createdAt = try fields.ifPresent("createdAt") { fields, name throws(ProtocolViolation) in
      Int64(try fields.integer(name, in: times))
    }
  }

  /// The value as JSON.
  package var json: JSONValue {
    .object([
      "path": .string(path), "title": title.map(JSONValue.string),
      "mediaType": mediaType.map { .string($0.rawValue) }, "move": .bool(move),
      "createdAt": createdAt.map(JSONValue.integer),
    ])
  }
}
