// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A directory of small cache files below the state root. Each file can be removed at any time. If a file
/// cannot be written, later hosts repeat the work.
struct CacheDirectory: Sendable {
  /// The maximum number of files. When it is exceeded, all files are removed and are written again as needed.
  private static let capacity = 512

  private let directory: String
  /// The layout file of the state root. Without it the directory is not a state root, and nothing is written.
  private let layout: String

  /// Creates the cache directory with this name. The directory is created on the first write.
  init(_ name: String, stateRoot: String) {
    directory = "\(stateRoot)/\(name)"
    layout = "\(stateRoot)/version"
  }

  /// Returns whether a file exists.
  func has(_ name: String) -> Bool {
    (try? FileSystem.status("\(directory)/\(name)"))?.kind == .regular
  }

  /// Returns the content of a file, or `nil` if the file is missing or larger than the limit. After a crash,
  /// the content may be truncated.
  func read(_ name: String, limit: Int) -> [UInt8]? {
    guard let file = try? FileSystem.open("\(directory)/\(name)", [.noFollow, .nonBlocking])
    else { return nil }
    return (try? file.readAll(limit: limit)) ?? nil
  }

  /// Writes a file without waiting for the disk.
  func write(_ name: String, _ bytes: [UInt8] = []) {
    guard let status = try? FileSystem.status(layout), status.kind == .regular else { return }
    do throws(SystemCallError) {
      try FileSystem.makeDirectories(directory)
      let names = try FileSystem.names(in: directory)
      if names.count >= Self.capacity {
        for name in names { try FileSystem.unlink("\(directory)/\(name)") }
      }
      let file = try FileSystem.open(
        "\(directory)/\(name)",
        [.write, .create, .truncate, .noFollow, .nonBlocking],
        mode: 0o600
      )
      try file.writeAll(bytes)
    } catch {}
  }
}
