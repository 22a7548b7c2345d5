// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The descriptors that an extension may be passed, whoever passes them.
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

  /// Throws an error if one of the descriptors is a socket. Through a socket of the host, an extension could reach whatever
  /// the socket reaches, and pass descriptors in both directions (unix(7), `SCM_RIGHTS`). Connected streams are replaced by
  /// pipes before (``StreamRelay``).
  static func checkSockets(_ descriptors: [Int32]) throws(PlanError) {
    for (number, descriptor) in descriptors.enumerated() where descriptor >= 0 {
      let kind: StreamSocket.Kind?
      do { kind = try StreamSocket.kind(ofNumber: descriptor) } catch { throw .path(error) }
      if kind != nil { throw .socket(number) }
    }
  }
}
