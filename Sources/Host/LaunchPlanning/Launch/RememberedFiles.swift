// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A directory under the state root with small files that save the next host work. Each can be removed at any time; where
/// none can be written, the work is done again.
struct RememberedFiles: Sendable {
  /// How many there are at most; when there would be more, all are removed and made again as they are needed.
  private static let capacity = 512

  private let directory: String
  /// The layout file without which the root is none, and nothing is written there.
  private let layout: String

  /// The directory with this name.
  init(_ name: String, stateRoot: String) {
    directory = "\(stateRoot)/\(name)"
    layout = "\(stateRoot)/version"
  }

  /// Whether there is such a file.
  func has(_ name: String) -> Bool {
    (try? FileSystem.status("\(directory)/\(name)"))?.kind == .regular
  }

  /// What is in it; nil if it is not there, or more than the limit. After a crash it can be a part of what was written.
  func read(_ name: String, limit: Int) -> [UInt8]? {
    guard let file = try? FileSystem.open("\(directory)/\(name)", [.noFollow, .nonBlocking])
    else { return nil }
    return (try? file.readAll(limit: limit)) ?? nil
  }

  /// Writes a file, and waits for no disk.
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
