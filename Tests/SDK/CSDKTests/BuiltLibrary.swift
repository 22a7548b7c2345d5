// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// The C library and its test programs, compiled once for all tests.
struct BuiltLibrary {
  /// The programs of this test run.
  static let shared = Result { try BuiltLibrary() }

  /// The directory of the results.
  let directory: String
  /// The test program, with the library and the sanitizers of the compiler, if it has any.
  var sanitizedProgram: String { "\(directory)/sanitized/program" }
  /// The test program of the library's side of hosts, with the sanitizers.
  var sanitizedClient: String { "\(directory)/sanitized/client" }
  /// The test program that loads the shared library.
  var sharedProgram: String { "\(directory)/shared" }

  private init() throws {
    directory = "/tmp/darkroom-c-sdk-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory, mode: 0o755)
    atexit {
      if case .success(let library) = BuiltLibrary.shared { try? FileSystem.removeTree(library.directory) }
    }
    try runShell(
      """
      cd '\(directory)'
      package='\(PackageDirectory.path)'
      sources=$package/Sources/SDK/CDarkroom
      tests=$package/Tests/SDK/CSDKTests
      "$sources/build-library" . "$PWD" "$PWD"
      mkdir include && cp "$sources"/include/*.h include
      flags=$(PKG_CONFIG_PATH=. pkg-config --cflags --libs darkroom)
      cc -std=c11 -Wall -Wextra -Werror -o shared "$tests/program.c" $flags "-Wl,-rpath,$PWD"
      sanitizers='-g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
      echo 'int main(void) { return 0; }' | cc $sanitizers -x c -o probe - && ./probe || sanitizers=
      options="-std=c11 -D_GNU_SOURCE -O1 $sanitizers -Wall -Wextra -Werror -Iinclude"
      mkdir objects sanitized
      for source in "$sources"/*.c; do cc $options -c -o "objects/${source##*/}.o" "$source"; done
      for source in "$tests/program.c" "$tests"/programs/*.c "$package/Plugins/HostDemo/host.c"; do
        name=${source##*/}
        cc $options -pthread -o "sanitized/${name%.c}" "$source" objects/*.o
      done
      """
    )
  }
}
