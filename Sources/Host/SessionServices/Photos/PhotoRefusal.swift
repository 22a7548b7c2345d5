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
      "the person has not allowed the app to \(what); open the app, which can ask"
    )
  }

  /// No request is possible before the session is launched.
  static let notInSession = PhotoRefusal(
    .notInSession,
    "the session has not begun; ask for photos when it has"
  )

  /// Too many requests are pending.
  static let busy = PhotoRefusal(
    .busy,
    "\(PhotoExchange.maximumWaiting) requests for photos wait already; ask again when one has been answered"
  )

  /// The session has added as many assets as its policy allows.
  static func limitReached(assets: Int, bytes: Int64) -> PhotoRefusal {
    PhotoRefusal(
      .noSpace,
      "this session may add \(assets) assets and \(bytes) bytes; leave the rest in the session directory for the app"
    )
  }

  /// Creates a refusal from an error of the library, without details that the extension must not know.
  init(_ error: PhotoLibraryError) {
    switch error {
    case .noSuchAsset(let id), .fileMissing(let id, _):
      self.init(.noSuchAsset, "there is no asset \(id) that this session may see; ask for the list again")
    case .notOwn(let id):
      self.init(
        .permissionDenied,
        "another has added asset \(id); open the app, in which the person can delete it"
      )
    case .unsuitableFile(let path, let fault): self.init(.invalidFile, "\(path) \(fault)")
    case .noSpace:
      self.init(.noSpace, "there is no room for it; leave it in the session directory, which the app gets")
    case .noLocation, .notPrivate, .newerIndex, .notWriteAhead, .database, .system, .stopped:
      self.init(
        .internalError,
        "the photo library cannot be used now; leave captures in the session directory, which the app gets"
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
