// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// How a camera was set before a session's extension has set it otherwise, noted before that is done: whoever recovers a
/// session whose host was killed sets the camera back.
package struct CameraNotes: Sendable {
  /// A camera that is set otherwise than before the session.
  package struct Left: Hashable, Sendable {
    /// Where it was opened.
    package var path: String
    /// What it calls itself, and where it is plugged in: what is at that place now may be another.
    package var device: String
    /// What was set, in this order, with the values from before.
    package var values: [Value] = []

    /// A camera of which nothing was set yet.
    package init(path: String, device: String) { (self.path, self.device) = (path, device) }
  }

  /// What something was set to, as the camera itself has it.
  package struct Value: Hashable, Sendable {
    /// The protocol's name of it.
    package var name: String
    /// The number.
    package var value: Int

    /// Describes a value.
    package init(_ name: String, _ value: Int) { (self.name, self.value) = (name, value) }
  }

  private let path: String
  /// The most bytes that a host writes: a line for each of its names.
  private static let mostBytes = 64 << 10

  /// The notes of a session.
  package init(_ places: SessionPlaces) { path = places.cameraFile }

  /// Notes what is about to be set, and how it was. The note outlives the host; it is not made durable: a failure of power is
  /// the camera's as well.
  package func note(_ before: Value, of camera: Left) throws(SystemCallError) {
    let line: JSONValue = [
      "path": .string(camera.path), "device": .string(camera.device), "name": .string(before.name),
      "value": .integer(Int64(before.value)),
    ]
    let file = try FileSystem.open(path, [.write, .create, .append, .noFollow])
    // A line before it may have been cut off where there was no room.
    try file.writeAll(Array(("\n" + line.text(.compact) + "\n").utf8))
  }

  /// Everything was set back.
  package func clear() throws(SystemCallError) { try FileSystem.unlink(path) }

  /// What was noted; nil if nothing was. A line that was cut belongs to nothing that was done.
  package func read() -> Left? {
    guard let bytes = try? FileSystem.contents(path, limit: Self.mostBytes) else { return nil }
    var left: Left?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let fields = try? JSONNode.parse(Array(line)).value, let path = fields["path"]?.string,
        let device = fields["device"]?.string, let name = fields["name"]?.string,
        let value = fields["value"]?.integer.flatMap(Int.init(exactly:))
      else { continue }
      var camera = left ?? Left(path: path, device: device)
      camera.values.append(Value(name, value))
      left = camera
    }
    return left
  }
}
