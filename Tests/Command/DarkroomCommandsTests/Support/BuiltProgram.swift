// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives

/// The program as it was built beside the tests, for what cannot be seen from inside one process.
enum BuiltProgram {
  /// Its path.
  static let path: String = {
    let tests = (try? CurrentProcess.executablePath()) ?? CommandLine.arguments[0]
    return "\(FileSystem.directoryName(tests))/darkroom"
  }()

  /// Whether this user may make mounts that only its own processes see.
  static let hasPrivateMounts = system("unshare --mount --map-root-user true >/dev/null 2>&1") == 0
}
