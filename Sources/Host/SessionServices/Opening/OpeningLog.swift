// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives

/// The log of the output of an opened app.
struct OpeningLog: ~Copyable {
  /// The size from which a log is truncated at the next start, in bytes.
  private static let limit: Int64 = 1 << 20
  /// The maximum size of the quoted end of the log, in bytes and lines.
  private static let tail = (bytes: 1024, lines: 5)

  /// The file, opened for appending.
  let file: Descriptor
  private let path: String
  private let start: Int64

  /// Opens the log of an app for one start.
  init(_ path: String) throws(SystemCallError) {
    let length = try FileSystem.status(path)?.size ?? 0
    let flags: OpenFlags = [.write, .create, .append, .noFollow]
    let opened = try FileSystem.open(path, length > Self.limit ? flags.union(.truncate) : flags)
    start = length > Self.limit ? 0 : length
    self.path = path
    file = opened
  }

  /// The last lines since the start, joined to one line with control characters escaped.
  var lastLines: String {
    guard let bytes = try? FileSystem.contents(path, limit: 1 << 24) else { return "" }
    let written = bytes.dropFirst(Int(start)).suffix(Self.tail.bytes)
    let lines = String(decoding: written, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(
      Self.tail.lines
    )
    var filter = TerminalFilter()
    return String(decoding: filter.filter(Array(lines.joined(separator: " / ").utf8)), as: UTF8.self)
  }
}
