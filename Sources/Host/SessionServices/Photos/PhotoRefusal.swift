// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import PhotoLibrary

/// Why a request of the photo library was not done, as an extension may know it: no path of the host is in it.
struct PhotoRefusal: Error {
  /// The number.
  let code: ProtocolErrorCode
  /// The sentence, with the mend.
  let sentence: String

  private init(_ code: ProtocolErrorCode, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// The permission, or the lock, does not allow it.
  static func notAllowed(_ what: String) -> PhotoRefusal {
    PhotoRefusal(
      .permissionDenied,
      "the person has not allowed the app to \(what); open the app, which can ask"
    )
  }

  /// Nobody can be asked for anything outside of a session.
  static let notInSession = PhotoRefusal(
    .notInSession,
    "the session has not begun; ask for photos when it has"
  )

  /// Too much has been asked for that is not done yet.
  static let busy = PhotoRefusal(
    .busy,
    "\(PhotoExchange.mostWaiting) requests for photos wait already; ask again when one has been answered"
  )

  /// The session has added what its policy allows.
  static func limitReached(assets: Int, bytes: Int64) -> PhotoRefusal {
    PhotoRefusal(
      .noSpace,
      "this session may add \(assets) assets and \(bytes) bytes; leave the rest in the session directory for the app"
    )
  }

  /// What an extension may know of a failure of the library.
  init(_ error: PhotoLibraryError) {
    switch error {
    case .noSuchAsset(let id), .fileMissing(let id, _):
      self.init(.noSuchAsset, "there is no asset \(id) that this session may see; ask for the list again")
    case .notOwn(let id):
      self.init(
        .permissionDenied,
        "another has added asset \(id); open the app, in which the person can delete it"
      )
    case .unfit(let path, let fault): self.init(.invalidFile, "\(path) \(fault)")
    case .noSpace:
      self.init(.noSpace, "there is no room for it; leave it in the session directory, which the app gets")
    case .noPlace, .notPrivate, .newerIndex, .notWriteAhead, .database, .system, .stopped:
      self.init(
        .internalError,
        "the photo library cannot be used now; leave captures in the session directory, which the app gets"
      )
    }
  }

  /// The refusal as an answer.
  var outcome: Reply.Outcome { .failure(ErrorObject(code: code.rawValue, message: sentence, data: nil)) }
}

extension PhotoAccess {
  /// Refuses what may not be asked at all.
  func check(_ request: PhotoRequest) throws(PhotoRefusal) {
    switch request {
    case .authorization: return
    case .add: if !mayAdd { throw .notAllowed("add to the photo library") }
    case .list, .open: if reading == .nothing { throw .notAllowed("read the photo library") }
    case .delete: if deleting == .nothing { throw .notAllowed("delete from the photo library") }
    }
  }
}
