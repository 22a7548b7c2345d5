// SPDX-License-Identifier: Apache-2.0

/// What has become of what was fetched; Apple's name.
public final class PHFetchResultChangeDetails<ObjectType: Sendable>: Sendable {
  /// What was fetched then.
  public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
  /// What the same would fetch now.
  public let fetchResultAfterChanges: PHFetchResult<ObjectType>
  /// What is new, in the order of what is fetched now.
  public let insertedObjects: [ObjectType]
  /// What is there no longer, in the order of what was fetched then.
  public let removedObjects: [ObjectType]

  /// True: the two lists above say everything, because nothing else of an asset changes here.
  public var hasIncrementalChanges: Bool { true }

  init(_ before: PHFetchResult<ObjectType>, _ after: PHFetchResult<ObjectType>) where ObjectType: Hashable {
    (fetchResultBeforeChanges, fetchResultAfterChanges) = (before, after)
    let (then, now) = (Set(before), Set(after))
    insertedObjects = after.filter { !then.contains($0) }
    removedObjects = before.filter { !now.contains($0) }
  }
}

extension PHChange {
  /// What has become of what was fetched; nil if it is what it was.
  ///
  /// It is fetched anew, so this waits for the host.
  public func changeDetails(for fetchResult: PHFetchResult<PHAsset>) -> PHFetchResultChangeDetails<PHAsset>? {
    let details = PHFetchResultChangeDetails(fetchResult, fetchResult.fetchedAnew())
    let isSame = details.insertedObjects.isEmpty && details.removedObjects.isEmpty
    return isSame ? nil : details
  }
}
