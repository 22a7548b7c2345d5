// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Python, which provides the expected results of these tests.
enum Python {
  /// Whether Python is installed. Prints a message if it is not.
  static let isThere: Bool = {
    let isThere = access("/usr/bin/python3", X_OK) == 0
    if !isThere { print("SKIP: tests that need /usr/bin/python3, which .ci/setup installs") }
    return isThere
  }()

  /// Runs a program from a separate directory, and returns the lines of its standard output.
  static func lines(_ program: String, _ words: String = "") throws -> [String] {
    let directory = "/tmp/sound-source-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory)
    defer { try? FileSystem.removeTree(directory) }
    try FileSystem.replaceContents("\(directory)/program.py", with: Array(program.utf8))
    try runShell("/usr/bin/python3 -I '\(directory)/program.py' \(words) >'\(directory)/out'")
    let output = try FileSystem.contents("\(directory)/out") ?? []
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
