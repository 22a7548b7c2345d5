// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Memory and processor parameters of the machine.
package enum MachineMemory {
  /// The size of a memory page in bytes.
  package static let pageSize = sysconf(Int32(_SC_PAGESIZE))

  /// The number of online processors.
  package static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// The maximum kernel memory of one connected Unix socket in bytes: its send buffer
  /// (`net.core.wmem_default`), which one message may exceed.
  package static let socketBuffer: Int = {
    let text = try? FileSystem.contents("/proc/sys/net/core/wmem_default", limit: 64)
    let standard = text.flatMap { ProcessFacts.number($0.prefix { $0 != UInt8(ascii: "\n") }) }
    // The kernel's default value. Other network namespaces lack this file.
    return 2 * (standard ?? 212_992)
  }()

  /// The bytes of shared memory on the machine: tmpfs files, memory files and shared mappings of all users
  /// (sysinfo(2), `sharedram`).
  package static var shared: Int { Int(darkroom_shared_memory()) }
}

extension FileSystem {
  /// Returns the bytes in use on the file system of `path` (statvfs(3)).
  package static func usedSpace(_ path: String) throws(SystemCallError) -> Int {
    var result = statvfs()
    try check("statvfs", path: path) { statvfs(path, &result) }
    return Int(result.f_blocks - result.f_bfree) * Int(result.f_frsize)
  }

  /// Returns the type of the file system of `path` (statfs(2), `f_type`).
  package static func type(of path: String) throws(SystemCallError) -> Int {
    try check("statfs", path: path) { darkroom_file_system_type(path) }
  }
}
