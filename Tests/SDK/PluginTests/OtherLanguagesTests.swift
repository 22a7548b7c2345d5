// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the programs in languages for which Darkroom has no library, with a host and a server that implement
/// only the written interfaces.
@Suite(.timeLimit(.minutes(20)), .waiting) struct OtherLanguagesTests {
  private static let tests = "\(PackageDirectory.path)/Tests/SDK/PluginTests"
  private static let examples = "\(PackageDirectory.path)/Plugins/OtherLanguages"
  /// The scenarios of the Python host for an extension that shows the camera.
  private static let scenarios = "shutter viewfinder overwritten"

  @Test func `each program has at most 40 lines of code`() throws {
    try runShell(
      """
      cd '\(Self.examples)'
      for program in capture.go capture.rs host.go; do
        lines=$(grep -cvE '^[[:space:]]*(//.*)?$' $program)
        echo "$program: $lines"
        [ "$lines" -le 40 ]
      done
      """
    )
  }

  @Test func `the extension in Rust shows each frame, and saves one photo for each press`() throws {
    guard Self.has("rustc", package: "rustc") else { return }
    try Self.run(
      """
      /usr/bin/rustc -D warnings -C target-feature=+crt-static -L lib -l static=darkroom '\(Self.examples)/capture.rs'
      \(Self.checkStaticProgram)
      """
    )
  }

  @Test func `the extension in Go shows each frame, and saves one photo for each press`() throws {
    guard Self.has("go", package: "golang-go") else { return }
    try Self.run(
      """
      export CGO_CFLAGS='-I\(PackageDirectory.path)/Sources/SDK/CDarkroom/include' CGO_LDFLAGS="-L$PWD/lib"
      /usr/bin/go build -ldflags '-linkmode external -extldflags -static' '\(Self.examples)/capture.go'
      \(Self.checkStaticProgram)
      """
    )
  }

  @Test(arguments: ["session", "refused", "closed"])
  func `the host client in Go launches an extension, presses the shutter once, and prints the result`(
    scenario: String
  ) throws {
    guard Self.has("go", package: "golang-go") else { return }
    try Self.run(
      """
      /usr/bin/go build '\(Self.examples)/host.go'
      /usr/bin/python3 -I '\(Self.tests)/Cases/host_server.py' \(scenario) ./host
      """
    )
  }

  /// Shell commands that check the extension `capture` in the current directory: the extension needs no shared
  /// libraries, reports a missing host, and passes the scenarios.
  private static let checkStaticProgram = """
    [ -z "$(LC_ALL=C readelf --program-headers --wide capture | grep INTERP)" ]
    code=0
    env -u LISTEN_PID ./capture 2>errors || code=$?
    [ $code -ne 0 ]
    grep -F 'no session: the program must be started by a host' errors
    for scenario in \(scenarios); do
      /usr/bin/python3 -I '\(tests)/fake_host.py' $scenario ./capture
    done
    """

  /// Runs shell commands in a temporary directory that contains the C library for extensions (`lib`).
  private static func run(_ commands: String) throws {
    let directory = "/tmp/darkroom-languages-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory)
    defer { try? FileSystem.removeTree(directory) }
    try runShell(
      """
      cd '\(directory)'
      '\(PackageDirectory.path)/Sources/SDK/CDarkroom/build-library' lib
      export HOME="$PWD"
      \(commands)
      """
    )
  }

  /// Returns whether a compiler is installed. Prints a missing compiler.
  private static func has(_ compiler: String, package: String) -> Bool {
    let isInstalled = FileSystem.isReadable("/usr/bin/\(compiler)")
    if !isInstalled { print("SKIP: an example in another language: the package \(package) is not installed") }
    return isInstalled
  }
}
