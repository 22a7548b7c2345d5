// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import PythonSDK
import TestSupport
import Testing

/// The tests of the Python package, which are written in Python, and of its embedded copy.
@Suite(.timeLimit(.minutes(10)), .waitingFirst) struct PythonSDKTests {
  private static let package = PackageDirectory.path
  private static let sources = "\(package)/Sources/SDK/Python"

  /// Runs the tests of a Python module. Warnings are errors.
  private func runTests(_ module: String) throws {
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    // SIGTERM would end a session instead of the tests.
    try runShell(
      """
      cd '\(Self.package)/Tests/SDK/PythonSDKTests/Cases'
      export PYTHONPATH='\(Self.sources)' PYTHONDONTWRITEBYTECODE=1 DARKROOM_PROGRAMS='\(programs)'
      timeout --signal=KILL 300 /usr/bin/python3 -W error -m unittest '\(module)' 2>&1
      """
    )
  }

  @Test(arguments: [
    "test_images", "test_rings", "test_session", "test_async", "test_protocol", "test_interface", "test_host",
    "test_host_sessions", "test_host_sound", "test_host_async", "test_host_documents",
  ])
  func `passes the tests in Python`(module: String) throws { try runTests(module) }

  @Test func `works in the sandbox with the camera, the microphone, NumPy and Pillow`() throws {
    try runTests("test_sandbox")
  }

  // Extensions cannot reach a server, so that new apps receive no copy of `darkroom.host`.
  @Test func `the command embeds all modules for extensions`() throws {
    let directory = "\(Self.sources)/\(PythonPackage.name)"
    let names = try FileSystem.names(in: directory).filter { $0.hasSuffix(".py") }
    #expect(PythonPackage.modules.map(\.name) == names.sorted())
    for module in PythonPackage.modules {
      #expect(try FileSystem.contents("\(directory)/\(module.name)") == module.text, "\(module.name)")
    }
  }

  @Test func `supports the protocol versions of the host`() throws {
    let module = try #require(PythonPackage.modules.first { $0.name == "connection.py" })
    let text = String(decoding: module.text, as: UTF8.self)
    let versions = ProtocolVersion.supported.map { "\($0)," }.joined(separator: " ")
    #expect(text.contains("\nPROTOCOL_VERSIONS = (\(versions))\n"))
  }

  @Test func `builds a wheel with all modules without network access`() throws {
    let directory = "/tmp/darkroom-wheel-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory)
    defer { try? FileSystem.removeTree(directory) }
    try runShell(
      """
      cp -R '\(Self.sources)' '\(directory)/source' && cd '\(directory)'
      /usr/bin/python3 -m pip wheel --quiet --no-index --no-build-isolation --no-deps --wheel-dir wheels ./source 2>&1
      /usr/bin/python3 -m zipfile -e wheels/darkroom-*-py3-none-any.whl installed
      diff -r --exclude=__pycache__ '\(Self.sources)/darkroom' installed/darkroom
      export PYTHONPATH=installed
      /usr/bin/python3 -c 'import darkroom, darkroom.host; print(darkroom.Session, darkroom.host.AsyncHost)'
      """
    )
  }

  @Test func `the package has the version of the command`() throws {
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    try runShell(
      """
      version=$('\(programs)/darkroom' --version | sed 's/^darkroom //')
      grep -x "version = \\"$version\\"" '\(Self.sources)/pyproject.toml'
      """
    )
  }
}
