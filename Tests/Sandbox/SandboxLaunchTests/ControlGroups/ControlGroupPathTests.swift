// SPDX-License-Identifier: Apache-2.0

import SandboxLaunch
import Testing

@Suite struct ControlGroupPathTests {
  static let mounts = """
    22 1 0:21 / / rw shared:1 - ext4 /dev/vda1 rw
    31 22 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
    """

  @Test(arguments: [
    ("0::/user.slice/user-1000.slice", "/sys/fs/cgroup/user.slice/user-1000.slice"),
    ("0::/", "/sys/fs/cgroup"),
    ("4:memory:/v1\n0::/a", "/sys/fs/cgroup/a"),
  ])
  func `finds the control group below the mount`(membership: String, directory: String) throws {
    #expect(try ControlGroupPath.directory(membership: membership, mounts: Self.mounts) == directory)
  }

  @Test func `supports partial hierarchies and escaped names`() throws {
    let mounts = "31 22 0:28 /a/b /cg\\040two rw - cgroup2 none rw"
    func directory(_ group: String) throws(ControlGroupFault) -> String {
      try ControlGroupPath.directory(membership: "0::\(group)", mounts: mounts)
    }
    #expect(try directory("/a/b/c") == "/cg two/c")
    #expect(try directory("/a/b") == "/cg two")
    for outside in ["/a/bc", "/", "/../x"] {
      #expect(throws: ControlGroupFault.outsideHierarchy) { try directory(outside) }
    }
  }

  @Test(arguments: [
    "31 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
    // Other file systems with the name in fields that users control: the source, the mount point and the
    // root.
    "31 22 0:28 / /run/x rw shared:2 - tmpfs cgroup2 rw",
    "31 22 0:28 /cgroup2 /cgroup2 rw - ext4 cgroup2 rw",
    "31 22 0:28 / /a\\040-\\040cgroup2\\040b rw - tmpfs none rw",
    "31 22 0:28 / /x rw - fuse.cgroup2 cgroup2 rw",
    "31 22 0:28 / /x rw - tmpfs - rw", "", "\n\n", " - cgroup2 ",
  ])
  func `fails without a cgroup2 mount`(mounts: String) {
    #expect(throws: ControlGroupFault.noHierarchy) {
      try ControlGroupPath.directory(membership: "0::/", mounts: mounts)
    }
  }

  @Test func `fails if the process has no cgroup2 group`() {
    #expect(throws: ControlGroupFault.outsideHierarchy) {
      try ControlGroupPath.directory(membership: "4:memory:/x", mounts: Self.mounts)
    }
  }
}
