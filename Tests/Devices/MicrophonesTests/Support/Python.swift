// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Python, which provides the expected results of these tests.
enum Python {
  /// Whether Python is installed. Prints a message if it is not.
  static let isAvailable: Bool = {
    let isAvailable = access("/usr/bin/python3", X_OK) == 0
    if !isAvailable { print("SKIP: tests that need /usr/bin/python3, which .ci/setup installs") }
    return isAvailable
  }()

  /// Runs a program from a separate directory, and returns the lines of its standard output.
  static func lines(_ program: String, _ arguments: String = "") throws -> [String] {
    let directory = "/tmp/sound-source-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory)
    defer { try? FileSystem.removeTree(directory) }
    try FileSystem.replaceContents("\(directory)/program.py", with: Array(program.utf8))
    try runShell("/usr/bin/python3 -I '\(directory)/program.py' \(arguments) >'\(directory)/out'")
    let output = try FileSystem.contents("\(directory)/out") ?? []
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
