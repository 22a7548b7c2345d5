// SPDX-License-Identifier: Apache-2.0

extension FileSystem {
  /// Writes a file so that after a crash the old or the new contents are there, never a part, as
  /// ``replaceContents(_:with:mode:)`` does; but over the file at `reserved`, which has its space already and gets the
  /// name. So no space is needed that somebody else could have taken. A failure leaves `reserved` where it is.
  package static func replaceContents(
    _ path: String,
    with bytes: [UInt8],
    writtenOver reserved: String
  ) throws(SystemCallError) {
    let file = try open(reserved, [.write, .noFollow])
    try file.writeAll(bytes)
    // What was allocated beyond the end goes back, too.
    try file.truncate(to: Int64(bytes.count))
    try file.synchronize()
    try rename(reserved, to: path, .replace)
    try synchronizeDirectory(directoryName(path))
  }
}
