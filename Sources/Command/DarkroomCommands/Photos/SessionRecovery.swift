// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import PhotoLibrary
internal import SessionStore

/// Finishes the sessions of hosts that died, together with what they were adding to the photo library, and sets their cameras
/// back.
///
/// The library comes first: a file that was being moved into it is either there or in the session, and only then it is
/// known which. Where no session is unfinished the library is not opened.
enum SessionRecovery {
  /// Finishes everything. A library that cannot be opened must not keep captures from their apps.
  static func run(
    _ root: StateRoot,
    library option: String?,
    trash thoroughness: Trash.Thoroughness = .whole,
    _ console: Console
  ) throws(StoreError) -> Recovery.Summary {
    var library: PhotoLibrary?
    var isTried = false
    let journal = SystemJournal(environment: console.environment)
    func setBack(_ camera: CameraNotes.Left) -> Bool {
      guard let reason = LeftCamera.setBack(camera) else { return true }
      console.note("darkroom: \(camera.path) is still set as an extension has set it: \(reason)")
      return false
    }
    func ingested(_ session: SessionID) -> [SessionRecord.Ingested] {
      if !isTried {
        isTried = true
        library = open(option, console)
      }
      let assets = (try? library?.added(by: session.description)) ?? []
      return assets.map { .init(asset: $0.id, path: $0.sourcePath ?? "") }
    }
    return try Recovery.run(
      in: root,
      trash: thoroughness,
      telling: journal,
      ingested: ingested,
      camera: setBack
    )
  }

  /// The photo library if there is one, recovered by being opened.
  private static func open(_ option: String?, _ console: Console) -> PhotoLibrary? {
    do throws(PhotoLibraryError) {
      let place = try LibraryPlace.resolve(option: option, environment: console.environment)
      return place.isThere ? try PhotoLibrary(place) : nil
    } catch {
      console.note("darkroom: the photo library is not recovered: \(error)")
      return nil
    }
  }
}
