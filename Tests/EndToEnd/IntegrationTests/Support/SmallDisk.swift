// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

/// Runs a test with a state root on a private tmpfs, or returns `nil` if it cannot be mounted. `options` are
/// the mount options of the tmpfs.
@discardableResult func withSmallDisk<Result>(
  _ user: TestUser,
  _ options: String = "size=16m,nr_inodes=3000",
  _ body: (TestHome) throws -> Result
) throws -> Result? {
  guard CurrentProcess.effectiveUserID == 0 else {
    print("SKIP: only root can mount a file system")
    return nil
  }
  let mount = "/tmp/darkroom-disk-\(Randomness.hexadecimal(bytes: 8))"
  try FileSystem.makeDirectory(mount)
  defer { _ = rmdir(mount) }
  try #require(Glibc.mount("none", mount, "tmpfs", 0, "\(options),mode=0777") == 0)
  defer { _ = umount2(mount, Int32(MNT_DETACH)) }
  let home = try TestHome(user, root: "\(mount)/state")
  try FileSystem.makeDirectory(home.root)
  try home.giveOwnership(home.root)
  return try body(home)
}
