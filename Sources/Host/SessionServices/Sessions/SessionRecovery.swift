// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import PhotoLibrary
package import SessionStore

/// The recovery of sessions whose host died. It includes their additions to the photo library, and restores
/// the settings of their cameras.
///
/// The library is recovered first: only then is it known whether a file that was being added is in the
/// library or in the session. The library is not opened if every session is finished.
package enum SessionRecovery {
  /// Recovers all sessions. A library that cannot be opened does not prevent the migration of captures.
  ///
  /// - Parameters:
  ///   - root: The state root of the sessions.
  ///   - option: The path of the photo library, or `nil` for the user's standard library.
  ///   - thoroughness: Whether the trash is emptied completely.
  ///   - environment: A closure that returns the value of an environment variable of the user.
  ///   - notice: A closure that receives a message for each part that is not recovered.
  /// - Returns: The findings of all sessions.
  /// - Throws: A `StoreError` if the state root cannot be read.
  package static func run(
    _ root: StateRoot,
    library option: String?,
    trash thoroughness: Trash.Thoroughness = .complete,
    environment: @escaping @Sendable (String) -> String?,
    notice: (String) -> Void
  ) throws(StoreError) -> Recovery.Summary {
    var library: PhotoLibrary?
    var isTried = false
    let journal = SystemJournal(environment: environment)
    func restoreCamera(_ camera: CameraSettingsBackup.Camera) -> Bool {
      guard let reason = CameraRestoration.restore(camera) else { return true }
      notice("\(camera.path): the settings of an extension could not be reset: \(reason)")
      return false
    }
    func ingested(_ session: SessionID) -> [SessionRecord.Ingested] {
      if !isTried {
        isTried = true
        library = open(option, environment, notice)
      }
      let assets = (try? library?.added(by: session.description)) ?? []
      return assets.map { .init(asset: $0.id, path: $0.sourcePath ?? "") }
    }
    return try Recovery.run(
      in: root,
      trash: thoroughness,
      forwardingTo: journal,
      ingested: ingested,
      camera: restoreCamera
    )
  }

  /// Opens and thereby recovers the photo library, or returns `nil` if there is none.
  private static func open(
    _ option: String?,
    _ environment: (String) -> String?,
    _ notice: (String) -> Void
  ) -> PhotoLibrary? {
    do throws(PhotoLibraryError) {
      let place = try LibraryLocation.resolve(option: option, environment: environment)
      return place.exists ? try PhotoLibrary(place) : nil
    } catch {
      notice("the photo library could not be recovered: \(error)")
      return nil
    }
  }
}
