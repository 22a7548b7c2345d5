// SPDX-License-Identifier: Apache-2.0

/// The ordered result of a fetch; Apple's class. Here it is also a collection.
public final class PHFetchResult<ObjectType: Sendable>: Sendable, RandomAccessCollection {
  private let objects: [ObjectType]
  /// Repeats the fetch.
  private let fetchAgain: @Sendable () -> [ObjectType]

  init(_ fetch: @escaping @Sendable () -> [ObjectType]) {
    objects = fetch()
    fetchAgain = fetch
  }

  /// Returns the result of the same fetch at the current time.
  func refetched() -> PHFetchResult { PHFetchResult(fetchAgain) }

  /// The number of objects.
  public var count: Int { objects.count }
  /// The first object, or `nil` if there is none.
  public var firstObject: ObjectType? { objects.first }
  /// The last object, or `nil` if there is none.
  public var lastObject: ObjectType? { objects.last }
  /// 0.
  public var startIndex: Int { objects.startIndex }
  /// ``count``.
  public var endIndex: Int { objects.endIndex }

  /// The object at an index, from 0.
  public subscript(index: Int) -> ObjectType { objects[index] }

  /// Returns the object at an index, from 0.
  public func object(at index: Int) -> ObjectType { objects[index] }

  /// Calls `block` with each object, its index, and a pointer to a flag; setting the flag to `true` ends the
  /// enumeration.
  public func enumerateObjects(_ block: (ObjectType, Int, UnsafeMutablePointer<Bool>) -> Void) {
    var stop = false
    for (index, object) in objects.enumerated() where !stop {
      withUnsafeMutablePointer(to: &stop) { block(object, index, $0) }
    }
  }

  /// Returns whether the result contains an object.
  public func contains(_ object: ObjectType) -> Bool where ObjectType: Equatable { objects.contains(object) }

  /// Returns the first index of an object, or `nil` if the result does not contain it.
  public func index(of object: ObjectType) -> Int? where ObjectType: Equatable {
    objects.firstIndex(of: object)
  }

  /// Returns the objects at the given indexes.
  public func objects(at indices: some Sequence<Int>) -> [ObjectType] { indices.map { objects[$0] } }
}
