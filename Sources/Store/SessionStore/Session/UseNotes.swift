// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// What is noted of a running session before a camera or a microphone gives it anything, so that a host that is killed
/// has not hidden a use. At the end the record has it, with its length.
package struct UseNotes: Sendable {
  private let path: String
  /// The most bytes that a host writes: a line for each of the two.
  private static let mostBytes = 64 << 10

  /// The notes of a session.
  package init(_ places: SessionPlaces) { path = places.usesFile }

  /// Makes the file, as long as nobody waits for it.
  func make() throws(SystemCallError) { _ = try open() }

  private func open() throws(SystemCallError) -> Descriptor {
    try FileSystem.open(path, [.write, .create, .append, .noFollow])
  }

  /// Notes that a device is used from now on. The note outlives the host; it is not made durable, which would keep the
  /// first frame waiting, so that a failure of power can take it.
  package func begin(_ use: SessionRecord.Use) throws(SystemCallError) {
    let file = try open()
    try file.writeAll(Array((use.json.text(.compact) + "\n").utf8))
  }

  /// What was noted; nothing if there is no file. A line that was cut is left out.
  package func read() -> [SessionRecord.Use] {
    guard let bytes = try? FileSystem.contents(path, limit: Self.mostBytes) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let value = try? JSONNode.parse(Array(line)).value else { return nil }
      return try? SessionRecord.Use(reading: DocumentReader(value))
    }
  }
}
