// SPDX-License-Identifier: Apache-2.0

import JSONText
import LaunchPlanning
import LinuxPrimitives
import PolicyInterchange
import Synchronization

/// The OCI runtime crun: all namespaces, a read-only root, no capabilities, the same calls with the same
/// arguments.
enum Crun {
  /// The number of the last container; container names must be unique.
  private static let numbers = Mutex(0)
  /// The number of bundles of a program, used in rotation. crun creates links in the root of a container and
  /// fails if a concurrent container creates the same link.
  private static let bundleCount = 32

  /// Returns the launcher, or `nil` if crun is not installed.
  static func launcher(_ setup: BenchmarkSetup) throws -> Launcher? {
    guard let program = PeerProgram.find("crun") else { return nil }
    for payload in Payload.allCases { try makeBundles(for: payload, setup) }
    let state = "\(setup.directory)/crun"
    let network = try FileSystem.linkTarget("/proc/self/ns/net")
    // The arguments of a program are in the bundle.
    for (payload, words) in [(Payload.claims, [network]), (.calls, ["/session"])] {
      try write(payload, words, setup)
    }
    let directory = setup.directory
    let quiet = setup.null.rawValue
    return Launcher("crun", directory: "/session", killEffect: .leavesProgram) { payload, _, input, output in
      let number = numbers.withLock { number in
        number += 1
        return number
      }
      return try SpawnedProgram.start(
        [
          program, "--cgroup-manager=disabled", "--root", state, "run",
          "-b", place(payload, number % bundleCount, in: directory), "darkroom-benchmark-\(number)",
        ],
        descriptors: [0: input, 1: output, 2: quiet]
      )
    }
  }

  private static func place(_ payload: Payload, _ number: Int, in directory: String) -> String {
    "\(directory)/oci/\(payload.file)-\(number)"
  }

  private static func makeBundles(for payload: Payload, _ setup: BenchmarkSetup) throws {
    for number in 0..<bundleCount {
      let root = "\(place(payload, number, in: setup.directory))/rootfs"
      for name in ["usr", "extension", "session", "container", "proc", "dev"] {
        try FileSystem.makeDirectories("\(root)/\(name)", mode: 0o755)
      }
      for name in ["bin", "lib", "lib64"] {
        try FileSystem.makeSymbolicLink("\(root)/\(name)", to: "usr/\(name)")
      }
      try FileSystem.replaceContents("\(root)/dev/null", with: [])
    }
    try write(payload, [], setup)
  }

  private static func write(_ payload: Payload, _ arguments: [String], _ setup: BenchmarkSetup) throws {
    let words: [JSONValue] = (["/extension/\(payload.file)"] + arguments).map { .string($0) }
    let configuration = try configuration(words, setup)
    let text = configuration.bytes(.indented)
    for number in 0..<bundleCount {
      let place = place(payload, number, in: setup.directory)
      try FileSystem.replaceContents("\(place)/config.json", with: text)
    }
  }

  private static func configuration(_ words: [JSONValue], _ setup: BenchmarkSetup) throws -> JSONValue {
    let profile = OCIWriter.write(CallProfile(try PolicyFinder.find("capture").policy)).document
    let sets = ["bounding", "effective", "inheritable", "permitted", "ambient"]
    let user = Int64(CurrentProcess.effectiveUserID)
    let map: JSONValue = [["containerID": 0, "hostID": .integer(user), "size": 1]]
    return [
      "ociVersion": "1.0.0",
      "process": [
        "terminal": false, "user": ["uid": 0, "gid": 0], "args": .array(words), "env": ["PATH=/usr/bin"],
        "cwd": "/session", "noNewPrivileges": true,
        "capabilities": .object(sets.map { JSONValue.Member($0, []) }),
      ],
      "root": ["path": "rootfs", "readonly": true],
      "hostname": "darkroom",
      "mounts": [
        mount("/proc", "proc", "proc", ["nosuid", "noexec", "nodev"]),
        mount("/usr", "bind", "/usr", ["rbind", "ro"]),
        mount("/extension", "bind", setup.bundle, ["rbind", "ro"]),
        mount("/session", "bind", setup.unmappedContent, ["rbind", "rw"]),
        mount("/dev/null", "bind", "/dev/null", ["rbind"]),
        mount("/container", "tmpfs", "tmpfs", ["nosuid", "nodev", "size=16m"]),
      ],
      "linux": [
        "namespaces": .array(
          ["pid", "network", "ipc", "uts", "mount", "user", "cgroup"].map { ["type": .string($0)] }
        ),
        "uidMappings": map, "gidMappings": map, "seccomp": profile,
      ],
    ]
  }

  private static func mount(_ place: String, _ kind: String, _ source: String, _ options: [String])
    -> JSONValue
  {
    [
      "destination": .string(place), "type": .string(kind), "source": .string(source),
      "options": .array(options.map { .string($0) }),
    ]
  }
}
