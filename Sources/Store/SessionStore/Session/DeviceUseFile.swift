// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// The log of device uses of a running session.
///
/// A use is logged before the camera or microphone delivers data, so that it remains known if the host is
/// killed. At the end, the record contains the uses with their durations.
package struct DeviceUseFile: Sendable {
  private let file: AppendedLines
  /// The maximum size of the file in bytes, with one line for each of the two devices.
  private static let maximumBytes = 64 << 10

  /// Creates the log of a session.
  package init(_ places: SessionPaths) {
    file = AppendedLines(path: places.usesFile, limit: Self.maximumBytes)
  }

  /// Creates the file in advance.
  func create() throws(SystemCallError) { _ = try file.open() }

  /// Logs the start of a use.
  ///
  /// The log outlives the host but is not synchronized, which would delay the first frame. A power failure
  /// can lose it.
  package func append(_ use: SessionRecord.Use) throws(SystemCallError) {
    try file.append([use.json], isSynchronized: false)
  }

  /// Returns the logged uses; empty if there is no file. Truncated lines are ignored.
  package func read() -> [SessionRecord.Use] {
    guard let values = try? file.values() else { return [] }
    return values.compactMap { try? SessionRecord.Use(reading: DocumentReader($0)) }
  }
}
