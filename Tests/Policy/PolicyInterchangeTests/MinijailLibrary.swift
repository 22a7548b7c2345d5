// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import Glibc
import LinuxPrimitives
import TestSupport

/// The original libminijail, fetched by `Tests/Rigs/minijail.sh`, as the reference for the meaning of its
/// policies.
enum MinijailLibrary {
  /// The directory with libminijail, its dynamic loader and its C library, which is newer than the system's.
  static let folder: String? = {
    let named = CurrentProcess.environment("DARKROOM_MINIJAIL")
    let folder = named ?? "\(RigDirectory.path)/minijail"
    return access("\(folder)/libminijail.so.1", R_OK) == 0 ? folder : nil
  }()

  /// Returns the program that libminijail compiles from a policy, or `nil` if the library rejects the policy.
  static func compile(_ policy: String) throws -> FilterProgram? {
    guard let folder else { return nil }
    let directory = "/tmp/darkroom-minijail-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory, mode: 0o700)
    defer { try? FileSystem.removeTree(directory) }
    try FileSystem.replaceContents("\(directory)/policy", with: Array(policy.utf8), mode: 0o600)
    let reader = "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/darkroom-minijail-reader"
    // The library aborts if it rejects a policy.
    let status = system(
      "cd \(directory) && ulimit -c 0 && \(folder)/ld-linux-x86-64.so.2 --library-path \(folder) \(reader) libminijail.so.1 "
        + "policy >program 2>messages"
    )
    guard status == 0 else { return nil }
    guard let bytes = try FileSystem.contents("\(directory)/program", limit: 1 << 20) else { return nil }
    return try FilterProgram(bytes: bytes)
  }
}
