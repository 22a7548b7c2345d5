// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

/// Independent programs that provide the expected results of these tests.
enum ExternalProgram {
  static let hasFFmpeg = has("ffmpeg")
  static let hasImageMagick = has("convert")
  static let hasPython = has("python3")

  /// Whether a program is installed. Prints a message if it is not.
  private static func has(_ name: String) -> Bool {
    let isInstalled = (try? run("command -v \(name)"))?.status == 0
    if !isInstalled {
      print("\(name) is not installed: tests that need it are skipped; .ci/setup --tests installs it")
    }
    return isInstalled
  }

  /// Runs a shell command, and returns its standard output and its wait status.
  static func run(_ command: String) throws -> (output: [UInt8], status: Int32) {
    guard let stream = popen(command, "r") else { throw SystemCallError("popen") }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, stream)
      if count == 0 { break }
      output.append(contentsOf: piece[..<count])
    }
    return (output, pclose(stream))
  }

  /// Runs a shell command that must succeed, and returns its standard output.
  @discardableResult
  static func output(_ command: String) throws -> [UInt8] {
    let (output, status) = try run("\(command) </dev/null")
    try #require(status == 0, "\(command) failed with status \(status)")
    return output
  }

  /// Returns the raw planes that ffmpeg decodes from a file.
  static func planes(of path: String, pixelFormat: String) throws -> [UInt8] {
    try output("ffmpeg -v error -i '\(path)' -f rawvideo -pix_fmt \(pixelFormat) -")
  }
}

/// A directory that is removed when its owner is released.
final class TemporaryDirectory {
  let path: String

  /// Creates an empty directory below `/tmp`.
  init() throws {
    path = "/tmp/camera-source-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(path)
  }

  deinit { _ = try? ExternalProgram.run("rm -r '\(path)'") }

  /// Returns the path of a file in the directory.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, and returns its path.
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try FileSystem.replaceContents(file(name), with: bytes)
    return file(name)
  }
}
