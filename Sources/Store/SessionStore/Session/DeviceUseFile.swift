// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// The log of device uses of a running session.
///
/// A use is logged before the camera or microphone delivers data, so that it remains known if the host is
/// killed. At the end, the record contains the uses with their durations.
package struct DeviceUseFile: Sendable {
  private let path: String
  /// The maximum size of the file in bytes, with one line for each of the two devices.
  private static let maximumBytes = 64 << 10

  /// Creates the log of a session.
  package init(_ places: SessionPaths) { path = places.usesFile }

  /// Creates the file in advance.
  func create() throws(SystemCallError) { _ = try open() }

  private func open() throws(SystemCallError) -> Descriptor {
    try FileSystem.open(path, [.write, .create, .append, .noFollow])
  }

  /// Logs the start of a use.
  ///
  /// The log outlives the host but is not synchronized, which would delay the first frame. A power failure
  /// can lose it.
  package func append(_ use: SessionRecord.Use) throws(SystemCallError) {
    let file = try open()
    try file.writeAll(Array((use.json.text(.compact) + "\n").utf8))
  }

  /// Returns the logged uses; empty if there is no file. Truncated lines are ignored.
  package func read() -> [SessionRecord.Use] {
    guard let bytes = try? FileSystem.contents(path, limit: Self.maximumBytes) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let value = try? JSONNode.parse(Array(line)).value else { return nil }
      return try? SessionRecord.Use(reading: DocumentReader(value))
    }
  }
}
