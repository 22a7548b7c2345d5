// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// An observer of changes in the photo library; Apple's protocol.
public protocol PHPhotoLibraryChangeObserver: AnyObject {
  /// Called on the main thread after the library or the accessible part of it has changed.
  ///
  /// Fetch the displayed assets again, or call ``PHChange/changeDetails(for:)``.
  func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// A change of the library. The host does not describe it, because it may concern inaccessible assets.
public final class PHChange: Sendable {
  init() {}
}

/// A weak reference to an observer.
///
/// `@unchecked Sendable`, because the observer is only passed on: it is called on the main thread, as its
/// protocol documents.
struct ObserverEntry: @unchecked Sendable {
  weak var observer: (any PHPhotoLibraryChangeObserver)?
}

extension PHPhotoLibrary {
  /// Registers an observer of changes; it is not retained.
  public func register(_ observer: any PHPhotoLibraryChangeObserver) {
    let entry = ObserverEntry(observer: observer)
    observers.withLock { entries in
      entries.removeAll { $0.observer == nil || $0.observer === entry.observer }
      entries.append(entry)
    }
  }

  /// Removes an observer.
  public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
    let entry = ObserverEntry(observer: observer)
    observers.withLock { entries in
      entries.removeAll { $0.observer == nil || $0.observer === entry.observer }
    }
  }

  /// Notifies all observers.
  @MainActor
  func notifyObservers() {
    let change = PHChange()
    for entry in observers.withLock({ $0 }) { entry.observer?.photoLibraryDidChange(change) }
  }
}
