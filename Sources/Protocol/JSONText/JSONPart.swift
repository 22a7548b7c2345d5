// SPDX-License-Identifier: Apache-2.0

/// A member of an object that is written piece by piece, because it would be large as a whole.
public struct JSONPart {
  /// The member's name.
  public var name: String
  /// The member's value.
  public var content: Content

  /// What a member can be.
  public enum Content {
    /// Any value.
    case value(JSONValue)
    /// An array of so many elements, each of which is made when it is written.
    case elements(count: Int, (Int) -> JSONValue)
  }

  /// A member with a value.
  public init(_ name: String, _ value: JSONValue) {
    self.name = name
    content = .value(value)
  }

  /// A member with an array.
  public init(_ name: String, count: Int, _ element: @escaping (Int) -> JSONValue) {
    self.name = name
    content = .elements(count: count, element)
  }
}

extension JSONValue {
  /// How many bytes are given at once, or a little more.
  private static var pieceSize: Int { 1 << 16 }

  /// Writes an object of these members, byte for byte as ``bytes(_:)`` would give it, and gives the text piece by piece.
  public static func write<Failure>(
    _ members: [JSONPart],
    _ layout: JSONLayout,
    to take: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = JSONWriter(layout: layout)
    func flush(_ size: Int) throws(Failure) {
      guard writer.bytes.count >= size else { return }
      try take(writer.bytes)
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
  /// Begins an item of a list.
  fileprivate mutating func begin(_ index: Int, level: Int) {
    if index > 0 { put(",") }
    breakLine(level)
  }

  /// Ends a list of so many items.
  fileprivate mutating func end(_ bracket: String, _ count: Int, level: Int) {
    if count > 0 { breakLine(level) }
    put(bracket)
  }
}
