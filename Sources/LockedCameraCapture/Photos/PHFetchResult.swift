// SPDX-License-Identifier: Apache-2.0

/// What was fetched, in its order; Apple's name, and a collection as well.
public final class PHFetchResult<ObjectType: Sendable>: Sendable, RandomAccessCollection {
  private let objects: [ObjectType]

  init(_ objects: [ObjectType]) { self.objects = objects }

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

  /// Calls `block` for each, with its index; setting the last argument to true ends it.
  public func enumerateObjects(_ block: (ObjectType, Int, inout Bool) -> Void) {
    var stop = false
    for (index, object) in objects.enumerated() where !stop { block(object, index, &stop) }
  }
}
