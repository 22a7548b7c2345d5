// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives
internal import SandboxPolicy

/// The inputs of a compiled filter, as text for a digest. They include the identity of this executable, so
/// that another version of Darkroom does not reuse its filters and proofs.
package struct FilterOrigin {
  private let text: String

  /// Creates the origin of a filter for some rules, or returns `nil` if this executable cannot be identified.
  init?(_ rules: [SyscallRule]) {
    guard let program = try? FileSystem.realPath("/proc/self/exe"),
      let status = try? FileSystem.status(program)
    else { return nil }
    // Plain fields, no reflection: its first use takes longer than all of this.
    var text = "\(program) \(status.device) \(status.inode) \(status.size) \(status.modified)\n"
    for rule in rules {
      text += rule.call
      for condition in rule.conditions { text += " \(condition.index) \(condition.mask) \(condition.value)" }
      text += "\n"
    }
    self.text = text
  }

  /// Returns the digest of the origin and of other inputs as hexadecimal digits, or `nil` if it cannot be
  /// computed.
  func digest(_ others: [[UInt8]] = []) -> String? {
    var bytes = Array(text.utf8)
    for other in others {
      bytes += "\(other.count)\n".utf8
      bytes += other
    }
    return (try? SHA256Digest.of(bytes)).map { hexadecimalText($0.bytes) }
  }
}
