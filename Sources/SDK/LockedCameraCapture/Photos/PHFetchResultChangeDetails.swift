// SPDX-License-Identifier: Apache-2.0

/// The difference between two results of the same fetch; Apple's class.
public final class PHFetchResultChangeDetails<ObjectType: Sendable>: Sendable {
  /// The earlier result.
  public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
  /// The current result.
  public let fetchResultAfterChanges: PHFetchResult<ObjectType>
  /// The objects that were added, in the order of the current result.
  public let insertedObjects: [ObjectType]
  /// The objects that were removed, in the order of the earlier result.
  public let removedObjects: [ObjectType]

  /// Always `true`: the inserted and removed objects are the only changes of a result here.
  public var hasIncrementalChanges: Bool { true }

  init(_ before: PHFetchResult<ObjectType>, _ after: PHFetchResult<ObjectType>) where ObjectType: Hashable {
    (fetchResultBeforeChanges, fetchResultAfterChanges) = (before, after)
    let (then, now) = (Set(before), Set(after))
    insertedObjects = after.filter { !then.contains($0) }
    removedObjects = before.filter { !now.contains($0) }
  }
}

extension PHChange {
  /// Fetches again, and returns the difference to an earlier result, or `nil` if there is none.
  ///
  /// The call blocks until the host has replied.
  public func changeDetails(for fetchResult: PHFetchResult<PHAsset>) -> PHFetchResultChangeDetails<PHAsset>? {
    let details = PHFetchResultChangeDetails(fetchResult, fetchResult.refetched())
    let isSame = details.insertedObjects.isEmpty && details.removedObjects.isEmpty
    return isSame ? nil : details
  }
}
