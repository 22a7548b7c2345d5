// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What an extension may be given as standard input, output and error, whoever gives it.
enum StandardStreams {
  /// Lets nothing pass from which there is a way to other files: with a directory, or a descriptor that was opened with
  /// `O_PATH`, a process can leave its root (`fchdir`, `openat`, `/proc/self/fd`), because the kernel looks at where it
  /// stands and not at where it came from.
  static func check(_ streams: [Int32]) throws(PlanError) {
    for (number, descriptor) in streams.enumerated()
    where descriptor >= 0 && !streams[..<number].contains(descriptor) {
      let isPlace: Bool
      do { isPlace = try Descriptor.isPlace(descriptor) } catch { throw .path(error) }
      if isPlace { throw .notAStream(number) }
    }
  }
}
