// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the Python client with the server `darkroom-host`, in the real sandbox.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostClientTests {
  /// The user that runs the client and the server.
  enum User: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The superuser.
    case root
    /// A user without privileges.
    case regular = "ordinary"

    var testDescription: String { rawValue }

    /// The UID and GID of the unprivileged user if the tests run as root.
    private static let regularUserID = 54_321

    /// The users that the tests can run as.
    static let available: [User] = {
      if geteuid() == 0 { return allCases }
      print("SKIP: the client in Python as root: only root can also try what root has")
      return [.regular]
    }()

    /// The shell command that gives a directory to this user.
    func giving(_ directory: String) -> String {
      guard self == .regular, geteuid() == 0 else { return ":" }
      return "chown \(Self.regularUserID):\(Self.regularUserID) \(directory)"
    }

    /// The shell command prefix that switches to this user.
    var commandPrefix: String {
      guard self == .regular, geteuid() == 0 else { return "" }
      return "/usr/bin/setpriv --reuid=\(Self.regularUserID) --regid=\(Self.regularUserID) --clear-groups --"
    }
  }

  /// Shell commands that copy the programs, the package and the tests to a directory that all users can access.
  private static func preparation(in directory: String, _ user: User) throws -> String {
    let package = PackageDirectory.path
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    return """
      umask 022
      cd '\(directory)'
      mkdir -p bin home python Camera/Extensions/Snapshot/bin
      install -m 0755 '\(built)/darkroom-host' bin/
      install -m 0755 '\(built)/Snapshot' Camera/Extensions/Snapshot/bin/
      cp '\(package)/Plugins/Snapshot/extension.json' Camera/Extensions/Snapshot/
      cp '\(package)/Plugins/SampleApp/app.json' Camera/
      cp -R '\(package)/Sources/SDK/Python/darkroom' python/
      cp '\(package)/Tests/SDK/PythonSDKTests/Cases/test_host_server.py' '\(package)/Plugins/HostDemo/host.py' .
      chmod -R a+rX .
      \(user.giving("home"))
      """
  }

  @Test(arguments: User.available)
  func `a Python program hosts extensions, receives frames and content, and leaves nothing`(user: User) throws
  {
    let directory = "/tmp/darkroom-python-host-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory, mode: 0o755)
    defer { try? FileSystem.removeTree(directory) }
    let preparation = try Self.preparation(in: directory, user)
    // SIGINT ends the tests in order, so that they stop their servers.
    try runShell(
      """
      \(preparation)
      env -i PATH="$PWD/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin" HOME="$PWD/home" PYTHONPATH="$PWD/python" \\
        PYTHONDONTWRITEBYTECODE=1 DARKROOM_BUNDLE="$PWD/Camera" DARKROOM_EXAMPLE="$PWD/host.py" \\
        \(user.commandPrefix) timeout --signal=INT --kill-after=60 900 \\
        /usr/bin/python3 -W error -m unittest test_host_server 2>&1
      # The command line of this shell contains the unexpanded variable.
      ! pgrep --full "root $PWD/home"
      """
    )
  }
}
