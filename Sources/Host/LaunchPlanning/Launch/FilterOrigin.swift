// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives
internal import SandboxPolicy

/// What a compiled filter comes from, as a text to take a digest of: the rules, and the program that compiles and proves, so
/// that another version of Darkroom does both for itself.
package struct FilterOrigin {
  private let text: String

  /// The origin of what this program makes of some rules; nil where it cannot tell which program it is.
  init?(_ rules: [SyscallRule]) {
    guard let program = try? FileSystem.realPath("/proc/self/exe"),
      let status = try? FileSystem.status(program)
    else { return nil }
    // Nothing is described here by what it is made of: the first use of reflection takes longer than all of this.
    var text = "\(program) \(status.device) \(status.inode) \(status.size) \(status.modified)\n"
    for rule in rules {
      text += rule.call
      for condition in rule.conditions { text += " \(condition.index) \(condition.mask) \(condition.value)" }
      text += "\n"
    }
    self.text = text
  }

  /// The digest of this and of what else decides something, in hexadecimal digits; nil where it cannot be taken.
  func digest(_ others: [[UInt8]] = []) -> String? {
    var bytes = Array(text.utf8)
    for other in others {
      bytes += "\(other.count)\n".utf8
      bytes += other
    }
    return (try? SHA256Digest.of(bytes)).map { hexadecimalText($0.bytes) }
  }
}
