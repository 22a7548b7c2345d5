// SPDX-License-Identifier: Apache-2.0

internal import CSystemCalls

/// The files of the tables, which are embedded in the program.
enum TableFiles {
  /// `syscalls.tsv`: a comment, a line with the names of the columns, and a line for each call.
  static var numbers: [UInt8] { bytes(system_call_numbers()) }
  /// `signatures.txt`: the parameters of each call.
  static var signatures: [UInt8] { bytes(system_call_signatures()) }
  /// `constants.txt`: the families of constants.
  static var constants: [UInt8] { bytes(system_call_constants()) }
  /// `ioctls.txt`: the family of the requests of ioctl(2).
  static var ioctls: [UInt8] { bytes(system_call_ioctls()) }

  private static func bytes(_ file: embedded_file) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}
