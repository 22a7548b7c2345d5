// SPDX-License-Identifier: Apache-2.0

/// The ID that the kernel gives each boot.
package enum BootID {
  /// The ID of this boot, from `/proc/sys/kernel/random/boot_id` (random(4)), or `nil` if `/proc` does not
  /// contain it.
  ///
  /// The ID is read once, because no process outlives its boot.
  package static let current: String? = {
    guard let bytes = try? FileSystem.contents("/proc/sys/kernel/random/boot_id", limit: 64) else {
      return nil
    }
    let name = String(decoding: bytes.filter { $0 > 32 }, as: UTF8.self)
    return name.isEmpty ? nil : name
  }()
}
