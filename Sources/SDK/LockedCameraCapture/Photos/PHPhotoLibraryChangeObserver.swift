// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Who wants to know of changes of the photo library; Apple's name.
public protocol PHPhotoLibraryChangeObserver: AnyObject {
  /// The library has changed, or what may be seen of it; called in the main thread. Fetch again what you show, or ask
  /// ``PHChange/changeDetails(for:)``.
  func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// That the library has changed; what exactly the host does not say, because it may be about what cannot be seen.
public final class PHChange: Sendable {
  init() {}
}

/// An observer, as long as somebody else keeps it.
///
/// Unchecked, because the observer is only passed on: it is called in the main thread, as its protocol says.
struct ObserverEntry: @unchecked Sendable {
  weak var observer: (any PHPhotoLibraryChangeObserver)?
}

extension PHPhotoLibrary {
  /// Tells an observer of changes from now on; it is not kept alive.
  public func register(_ observer: any PHPhotoLibraryChangeObserver) {
    let entry = ObserverEntry(observer: observer)
    observers.withLock { entries in
      entries.removeAll { $0.observer == nil || $0.observer === entry.observer }
      entries.append(entry)
    }
  }

  /// Tells an observer no more.
  public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
    let entry = ObserverEntry(observer: observer)
    observers.withLock { entries in
      entries.removeAll { $0.observer == nil || $0.observer === entry.observer }
    }
  }

  /// Tells all observers.
  @MainActor
  func changed() {
    let change = PHChange()
    for entry in observers.withLock({ $0 }) { entry.observer?.photoLibraryDidChange(change) }
  }
}
