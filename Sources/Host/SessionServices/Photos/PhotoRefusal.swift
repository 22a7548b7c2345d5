// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import PhotoLibrary

/// The reason why a photo library request was refused. It contains no path of the host, because the extension
/// receives it.
struct PhotoRefusal: Error {
  /// The error code of the protocol.
  let code: ProtocolErrorCode
  /// The message, with a fix.
  let sentence: String

  private init(_ code: ProtocolErrorCode, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// The permission or the lock state does not allow the request.
  static func notAllowed(_ what: String) -> PhotoRefusal {
    PhotoRefusal(
      .permissionDenied,
      "the user has not allowed the app to \(what); open the app to request permission"
    )
  }

  /// No request is possible before the session is launched.
  static let notInSession = PhotoRefusal(
    .notInSession,
    "the session has not started; wait for session/start"
  )

  /// Too many requests are pending.
  static let busy = PhotoRefusal(
    .busy,
    "\(PhotoExchange.maximumWaiting) photo requests are already pending; wait for a reply"
  )

  /// The session has added as many assets as its policy allows.
  static func limitReached(assets: Int, bytes: Int64) -> PhotoRefusal {
    PhotoRefusal(
      .noSpace,
      "this session may add at most \(assets) assets and \(bytes) bytes; leave the rest in the session directory"
    )
  }

  /// Creates a refusal from an error of the library, without details that the extension must not know.
  init(_ error: PhotoLibraryError) {
    switch error {
    case .noSuchAsset(let id), .fileMissing(let id, _):
      self.init(.noSuchAsset, "this session has no access to asset \(id); request the list again")
    case .notOwn(let id):
      self.init(
        .permissionDenied,
        "another app has added asset \(id); open the app, in which the user can delete it"
      )
    case .unsuitableFile(let path, let fault): self.init(.invalidFile, "\(path) \(fault)")
    case .noSpace:
      self.init(
        .noSpace,
        "no space for the asset; leave it in the session directory, which is migrated to the app"
      )
    case .noLocation, .notPrivate, .newerIndex, .notWriteAhead, .database, .system, .stopped:
      self.init(
        .internalError,
        "the photo library is unavailable; leave captures in the session directory, which is migrated to the app"
      )
    }
  }

  /// The refusal as a reply.
  var outcome: Reply.Outcome { .failure(ErrorObject(code: code.rawValue, message: sentence, data: nil)) }
}

extension PhotoAccess {
  /// Throws an error if the access does not allow this kind of request.
  func check(_ request: PhotoRequest) throws(PhotoRefusal) {
    switch request {
    case .authorization: return
    case .add: if !mayAdd { throw .notAllowed("add to the photo library") }
    case .list, .open: if reading == .nothing { throw .notAllowed("read the photo library") }
    case .delete: if deleting == .nothing { throw .notAllowed("delete from the photo library") }
    }
  }
}
