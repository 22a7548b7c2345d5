// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Data that an extension writes outside its session directory is never written to the disk, not even
/// temporarily.
@Suite(.waiting) struct ScratchOnDiskTests {
  /// The program of the extension. It assembles the two texts at run time, so that no command line contains
  /// them.
  private static let program = """
    import mmap, os
    scratch = ("5Crat" + "chScratchScratchScratchScratch0123").encode()
    kept = ("kE" + "ptKeptKeptKeptKeptKeptKeptKept0123").encode()
    def fill(path, text, mebibytes):
        with open(path, "wb") as file:
            for _ in range(mebibytes):
                file.write((text * (1 + (1 << 20) // len(text)))[:1 << 20])
            file.flush()
            os.fsync(file.fileno())
    for number, place in enumerate(["/container", os.environ["TMPDIR"], os.environ["HOME"]]):
        fill(f"{place}/scratch{number}", scratch, 4)
    memory = os.memfd_create("scratch")
    os.write(memory, scratch * 100000)
    mapping = mmap.mmap(-1, 1 << 22)
    mapping.write(scratch * 100000)
    os.makedirs("/session/deep", exist_ok=True)
    fill("/session/deep/kept", kept, 2)
    """

  @Test(.timeLimit(.minutes(20)), arguments: DiskFormat.allCases)
  func `writes no block of scratch data to the disk of the state root`(_ format: DiskFormat) throws {
    let rig = try PowerRig()
    let program = try FileSystem.open("\(rig.directory)/program.py", [.write, .create])
    try program.writeAll(Array(Self.program.utf8))
    let result = try rig.run(
      "blocks.py",
      [
        "--file-system \(format)",
        "--workload '$PROGRAMS/darkroom --root $DISK/root exec --app org.example.scratch -- "
          + "/usr/bin/python3 -c \"$(cat $PLACE/program.py)\"'",
        "--absent 5CratchScratchScratchScratch", "--present kEptKeptKeptKeptKeptKept",
      ]
    )
    guard let result else { return }
    #expect(result.findings == 0, "\(result.text)")
  }
}
