// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// A file with one JSON value in each line, to which lines are appended.
///
/// After a crash, the last line can be truncated. After a power failure, the file can also have its new size
/// without the data of the last write, and end with zeros. Neither damages a line that was synchronized,
/// because each line begins and ends with a line break.
struct AppendedLines: Sendable {
  /// The path of the file.
  let path: String
  /// The maximum size of the file in bytes. A larger file is read as an empty one.
  var limit = JSONLimits.record.bytes

  private static let lineBreak = UInt8(ascii: "\n")

  /// Appends a line for each value, and creates the file if it does not exist.
  ///
  /// With `isSynchronized`, the lines are durable on return (fsync(2)), but not the name of a new file.
  func append(_ values: [JSONValue], isSynchronized: Bool) throws(SystemCallError) {
    var bytes: [UInt8] = []
    for value in values { bytes += [Self.lineBreak] + value.bytes(.compact) + [Self.lineBreak] }
    let file = try open()
    try file.writeAll(bytes)
    if isSynchronized { try file.synchronize() }
  }

  /// Creates the file if it does not exist, and opens it for appending.
  func open() throws(SystemCallError) -> Descriptor {
    try FileSystem.open(path, [.write, .create, .append, .noFollow])
  }

  /// Returns the values of the complete lines; empty if there is no file.
  func values() throws(SystemCallError) -> [JSONValue] {
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(path, limit: limit) ?? [] } catch
      where error.errno == .noSuchFile
    { return [] }
    // Files of earlier versions have no line break at the end, so zeros can follow a complete line.
    return bytes.split { $0 == Self.lineBreak || $0 == 0 }
      .compactMap { try? JSONNode.parse(Array($0)).value }
  }
}
