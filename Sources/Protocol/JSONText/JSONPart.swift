// SPDX-License-Identifier: Apache-2.0

/// A member of an object that is written in pieces, because the whole object would be large.
public struct JSONPart {
  /// The member's name.
  public var name: String
  /// The member's value.
  public var content: Content

  /// The contents of a member.
  public enum Content {
    /// Any value.
    case value(JSONValue)
    /// An array with the given number of elements, each of which is created when it is written.
    case elements(count: Int, (Int) -> JSONValue)
  }

  /// Creates a member with a value.
  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    content = .value(value)
  }

  /// Creates a member with an array.
  public init(_ name: String, count: Int, _ element: @escaping (Int) -> JSONValue) {
    self.name = name
    content = .elements(count: count, element)
  }
}

extension JSONValue {
  /// The minimum size of a piece in bytes, except for the last one.
  private static var pieceSize: Int { 1 << 16 }

  /// Writes an object with these members in pieces.
  ///
  /// The text is the same as that of ``bytes(_:)`` for the whole object. `body` is called with each piece.
  public static func write<Failure>(
    _ members: [JSONPart],
    _ layout: JSONLayout,
    to body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter(layout: layout)
    func flush(_ size: Int) throws(Failure) {
      guard writer.bytes.count >= size else { return }
      try body(writer.bytes)
      writer.bytes.removeAll(keepingCapacity: true)
    }
    writer.put("{")
    for (place, member) in members.enumerated() {
      writer.begin(place, level: 1)
      writer.write(member.name)
      writer.put(layout == .compact ? ":" : ": ")
      switch member.content {
      case .value(let value): writer.write(value, level: 1)
      case .elements(let count, let element):
        writer.put("[")
        for index in 0..<count {
          writer.begin(index, level: 2)
          writer.write(element(index), level: 2)
          try flush(pieceSize)
        }
        writer.end("]", count, level: 1)
      }
    }
    writer.end("}", members.count, level: 0)
    if layout == .indented { writer.put("\n") }
    try flush(1)
  }
}

extension JSONWriter {
  /// Starts an item of a list.
  fileprivate mutating func begin(_ index: Int, level: Int) {
    if index > 0 { put(",") }
    breakLine(level)
  }

  /// Ends a list with the given number of items.
  fileprivate mutating func end(_ bracket: String, _ count: Int, level: Int) {
    if count > 0 { breakLine(level) }
    put(bracket)
  }
}
