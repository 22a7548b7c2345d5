// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxLaunch

/// The diagnosis of the state root's file system.
enum StateRootDiagnosis {
  /// File systems on other machines, or with file owners that another system determines.
  private static let foreign: Set = [
    "nfs", "nfs4", "cifs", "smb3", "9p", "afs", "ceph", "fuse.sshfs", "fuse.glusterfs", "vboxsf", "virtiofs",
  ]
  /// File systems without owners and permissions.
  private static let ownerless: Set = ["vfat", "exfat", "msdos", "ntfs", "fuseblk"]
  /// The amount of free space below which the diagnosis is advice, in bytes.
  private static let lowSpaceLimit: UInt64 = 256 << 20

  /// Returns all findings about the state root.
  static func findings(_ facts: MachineFacts) -> [MachineFinding] {
    guard let place = facts.stateRoot else {
      return [
        finding(
          .missing,
          "its path is not configured, or it cannot be inspected",
          Fix("Set its path", ["export DARKROOM_ROOT=DIRECTORY"])
        )
      ]
    }
    let problems = problems(place, facts)
    let detail = "\(place.path), \(place.fileSystem), \(place.free >> 20) MiB free"
    return (problems.isEmpty ? [finding(.present, detail)] : problems) + trash(place)
  }

  /// Returns the problems of the state root.
  private static func problems(_ place: MachineFacts.StorageLocation, _ facts: MachineFacts)
    -> [MachineFinding]
  {
    var findings: [MachineFinding] = []
    let elsewhere = Fix("Use another directory", ["export DARKROOM_ROOT=DIRECTORY"])
    if place.flags.contains(.readOnly) {
      findings.append(
        finding(.missing, "\(place.path) is on a file system that is mounted read-only", elsewhere)
      )
    }
    if place.flags.contains(.noExecution) {
      findings.append(
        finding(
          .missing,
          "\(place.path) is on a file system that is mounted noexec, and installed extensions are executed there",
          Fix(
            "Mount the file system without noexec",
            ["mount -o remount,exec \"$(stat -c %m \(place.path))\""]
          ),
          elsewhere
        )
      )
    }
    if !place.elsewhere.isEmpty {
      let names = place.elsewhere.joined(separator: ", ")
      findings.append(
        finding(
          .missing,
          "\(names) in \(place.path) is on another file system: migration renames directories, which is impossible "
            + "across file systems",
          Fix("Remove the mounts", place.elsewhere.map { "umount \(place.path)/\($0)" })
        )
      )
    }
    if foreign.contains(place.fileSystem) || ownerless.contains(place.fileSystem) {
      findings.append(unsuitable(place, facts, elsewhere))
    }
    return findings + space(place, elsewhere)
  }

  /// Returns a finding if the file system of the state root has little free space.
  private static func space(_ place: MachineFacts.StorageLocation, _ elsewhere: Fix) -> [MachineFinding] {
    guard place.free < place.reserve else {
      guard place.free < lowSpaceLimit else { return [] }
      return [finding(.advice, "only \(place.free >> 20) MiB are free in \(place.path)", elsewhere)]
    }
    let sizes =
      "\(place.free >> 20) MiB are free in \(place.path), less than the reserve of \(place.reserve >> 20) MiB"
    return [
      finding(
        .missing,
        "\(sizes): no session can start",
        Fix("Free some space, or lower the reserve", ["darkroom quota set --reserve SIZE"]),
        elsewhere
      )
    ]
  }

  /// Returns a finding if removed directories are waiting to be deleted.
  private static func trash(_ place: MachineFacts.StorageLocation) -> [MachineFinding] {
    guard place.trash > 0 else { return [] }
    let amount = place.trash == 1 ? "1 removed item is" : "\(place.trash) removed items are"
    return [
      MachineFinding(
        "trash",
        .present,
        "\(amount) not deleted yet; the host deletes removed items in the background",
        [Fix("Delete removed items now", ["darkroom prune --root \(place.path)"])]
      )
    ]
  }

  /// Returns the finding for a remote file system or one without owners.
  private static func unsuitable(
    _ place: MachineFacts.StorageLocation,
    _ facts: MachineFacts,
    _ elsewhere: Fix
  ) -> MachineFinding {
    let isRoot = facts.identity != .caller
    let why =
      ownerless.contains(place.fileSystem)
      ? "does not store owners and modes"
      : "does not report changes by other machines"
    let more = isRoot ? "; sessions of root have a separate UID, which cannot be stored there" : ""
    return finding(
      isRoot ? .missing : .advice,
      "\(place.path) is on \(place.fileSystem), which \(why)\(more)",
      elsewhere
    )
  }

  /// Creates a finding about the state root.
  private static func finding(
    _ state: MachineFinding.State,
    _ detail: String,
    _ fixes: Fix...
  ) -> MachineFinding {
    MachineFinding("state root", state, detail, fixes)
  }
}
