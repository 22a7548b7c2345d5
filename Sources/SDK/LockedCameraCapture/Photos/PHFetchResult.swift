// SPDX-License-Identifier: Apache-2.0

/// What was fetched, in its order; Apple's name, and a collection as well.
public final class PHFetchResult<ObjectType: Sendable>: Sendable, RandomAccessCollection {
  private let objects: [ObjectType]
  /// Fetches the same again.
  private let fetchAgain: @Sendable () -> [ObjectType]

  init(_ fetch: @escaping @Sendable () -> [ObjectType]) {
    objects = fetch()
    fetchAgain = fetch
  }

  /// What the same would fetch now.
  func fetchedAnew() -> PHFetchResult { PHFetchResult(fetchAgain) }

  /// How many there are.
  public var count: Int { objects.count }
  /// The first one; nil if there is none.
  public var firstObject: ObjectType? { objects.first }
  /// The last one; nil if there is none.
  public var lastObject: ObjectType? { objects.last }
  /// 0.
  public var startIndex: Int { objects.startIndex }
  /// ``count``.
  public var endIndex: Int { objects.endIndex }

  /// The one at an index from 0 on.
  public subscript(index: Int) -> ObjectType { objects[index] }

  /// The one at an index from 0 on.
  public func object(at index: Int) -> ObjectType { objects[index] }

  /// Calls `block` for each, with its index; setting what the last argument points to, to true, ends it.
  public func enumerateObjects(_ block: (ObjectType, Int, UnsafeMutablePointer<Bool>) -> Void) {
    var stop = false
    for (index, object) in objects.enumerated() where !stop {
      withUnsafeMutablePointer(to: &stop) { block(object, index, $0) }
    }
  }

  /// Whether the same is in it.
  public func contains(_ object: ObjectType) -> Bool where ObjectType: Equatable { objects.contains(object) }

  /// The index of the first that is the same; nil if there is none.
  public func index(of object: ObjectType) -> Int? where ObjectType: Equatable {
    objects.firstIndex(of: object)
  }

  /// Those at these indices.
  public func objects(at indices: some Sequence<Int>) -> [ObjectType] { indices.map { objects[$0] } }
}
