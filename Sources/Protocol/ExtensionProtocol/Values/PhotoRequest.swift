// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What one may do in the photo library.
package enum PhotoAccessLevel: String, CaseIterable, Sendable {
  /// Add to it.
  case addOnly
  /// Read and change it.
  case readWrite
}

/// What an asset is.
package enum PhotoMediaType: String, CaseIterable, Sendable {
  /// A picture.
  case image
  /// A film.
  case video
  /// A sound.
  case audio
  /// Something else.
  case other
}

/// What an extension asks of the photo library.
package enum PhotoRequest: Equatable, Sendable {
  /// What is allowed at a level; the result is ``PhotoAuthorizationResult``. Nobody is asked.
  case authorization(PhotoAccessLevel)
  /// Put a file of the session directory into the library; the result is ``PhotoAddResult``.
  case add(PhotoAddition)
  /// The assets that may be seen, newest first, after the one with this id; the result is ``PhotoListResult``.
  case list(after: String?, limit: Int)
  /// Show the file of an asset; the result is ``PhotoOpenResult``.
  case open(asset: String)
  /// Delete an asset; the result is ``Nothing``.
  case delete(asset: String)

  /// The method's name.
  package var method: ExtensionMethod {
    switch self {
    case .authorization: .photosAuthorization
    case .add: .photosAdd
    case .list: .photosList
    case .open: .photosOpen
    case .delete: .photosDelete
    }
  }

  /// The parameters as they are sent.
  var parameters: JSONValue {
    switch self {
    case .authorization(let level): .object(["level": .string(level.rawValue)])
    case .add(let addition): addition.json
    case .list(let after, let limit):
      .object(["after": after.map(JSONValue.string), "limit": .integer(Int64(limit))])
    case .open(let asset), .delete(let asset): .object(["asset": .string(asset)])
    }
  }

  /// Reads the parameters of a request.
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
    default: throw fields.violation(.outOfOrder(expected: "a request of the photo library"))
    }
  }
}

/// A file that shall be in the photo library.
package struct PhotoAddition: WireValue, Hashable {
  /// Where it is, relative to the session directory.
  package var path: String
  /// What people shall call it; nil: its name.
  package var title: String?
  /// What it is; nil: as its content says.
  package var mediaType: PhotoMediaType?
  /// Whether it leaves the session directory.
  package var move: Bool
  /// When it was made, in milliseconds since 1970; nil: now.
  package var createdAt: Int64?

  /// The times that an asset can have: the years that have four digits, because its directory is named by them.
  package static let times: ClosedRange<Int64> = 0...253_402_300_799_999

  /// Describes an addition.
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

  /// Reads it.
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

  /// Writes it.
  package var json: JSONValue {
    .object([
      "path": .string(path), "title": title.map(JSONValue.string),
      "mediaType": mediaType.map { .string($0.rawValue) }, "move": .bool(move),
      "createdAt": createdAt.map(JSONValue.integer),
    ])
  }
}
