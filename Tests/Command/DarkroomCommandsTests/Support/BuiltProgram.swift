// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives

/// The built program, for tests that need a separate process.
enum BuiltProgram {
  /// The path of the program.
  static let path: String = {
    let tests = (try? CurrentProcess.executablePath()) ?? CommandLine.arguments[0]
    return "\(FileSystem.directoryName(tests))/darkroom"
  }()

  /// Whether this user can create a private mount namespace.
  static let canMakePrivateMounts = system("unshare --mount --map-root-user true >/dev/null 2>&1") == 0
}
