// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of Darkroom in a chroot, where the kernel does not permit user namespaces.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestUser.hasRoot), .waiting) struct ChrootTests {
  /// The system call that enters the directory.
  enum Entrance: String, CaseIterable, Sendable {
    /// chroot(2) into a directory that is not a mount point.
    case directory
    /// chroot(2) into a mount point.
    case mountPoint
    /// pivot_root(2), as the fix suggests.
    case pivot

    /// Returns shell code that enters the current directory and executes the arguments.
    func script(_ user: TestUser) -> String {
      let userOption = user == .root ? "" : "--userspec=\(TestUser.regularUserID):\(TestUser.regularUserID)"
      let become = user == .root ? "" : TestUser.regular.commandPrefix.joined(separator: " ")
      return switch self {
      case .directory, .mountPoint: "exec chroot \(userOption) . \"$@\""
      case .pivot: "pivot_root . . && umount -l . && cd / && exec \(become) \"$@\""
      }
    }
  }

  /// Returns a command prefix that runs a command below a directory with all files of the host. The mounts
  /// disappear with their namespace.
  private func commandPrefix(_ home: TestHome, _ entrance: Entrance, _ user: TestUser) -> [String] {
    let script = """
      cd '\(home.directory)' && mkdir -p inside && chmod 755 . inside || exit 99
      if [ \(entrance.rawValue) != directory ]; then mount --bind inside inside || exit 99; fi
      cd inside || exit 99
      for name in $(ls -A /); do
        if [ -L /$name ]; then cp -Pf /$name .
        elif [ -d /$name ]; then mkdir -p $name && mount --rbind /$name $name; fi
      done
      \(entrance.script(user))
      """
    return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh"]
  }

  /// Runs `darkroom` as a user with a separate state root.
  private func run(
    _ words: [String],
    _ entrance: Entrance,
    _ user: TestUser
  ) throws -> Command.Result {
    // Root owns the test home, because only root can mount.
    let home = try TestHome(.root)
    let root = home.file("state-\(user.rawValue)")
    try FileSystem.makeDirectory(root, mode: 0o755)
    if user == .regular { try runShell("chown \(TestUser.regularUserID) '\(root)'") }
    let command = [home.programs.darkroom, words[0], "--root", "\(root)/state"] + words.dropFirst()
    return try home.start(self.commandPrefix(home, entrance, user) + command).end()
  }

  @Test(arguments: [Entrance.directory, .mountPoint], TestUser.available)
  func `launch and doctor report the chroot and suggest only a fix that works`(
    entrance: Entrance,
    user: TestUser
  ) throws {
    let launch = try run(["exec", "--app", TestHome.app, "--", "echo", "ran"], entrance, user)
    #expect(launch.code == 126 && launch.output.isEmpty, "\(launch.errors)")
    let doctor = try run(["doctor", "--json"], entrance, user)
    #expect(doctor.code == 71)
    let report = try JSONNode.parse(doctor.output).value
    let base = report["policies"]?.elements?.first { $0["policy"]?.string == "base" }
    let missing = (base?["layers"]?.elements ?? []).filter { $0["state"]?.string == "missing" }
    let layer = entrance == .directory && user == .root ? "mountNamespace" : "userNamespace"
    #expect(missing.map { $0["name"]?.string } == [layer])
    for text in [launch.errors, "\(missing)"] {
      #expect(text.contains("in a chroot") && text.contains("pivot_root"), "\(text)")
      for words in ["sysctl", "run as root", "as root,", "systemd-nspawn"] {
        #expect(!text.contains(words), "\(words): \(text)")
      }
    }
  }

  @Test(arguments: TestUser.available)
  func `sessions run below the same directory after pivot_root`(user: TestUser) throws {
    let launch = try run(["exec", "--app", TestHome.app, "--", "echo", "ran"], .pivot, user)
    #expect(launch.code == 0 && launch.text == "ran\n", "\(launch.errors)")
  }
}
