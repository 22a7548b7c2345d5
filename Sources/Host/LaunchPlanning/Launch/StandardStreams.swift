// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Checks the descriptors that are passed to an extension.
enum StandardStreams {
  /// Refuses directories and `O_PATH` descriptors.
  ///
  /// With such a descriptor a process can leave its root (`fchdir`, `openat`, `/proc/self/fd`), because the
  /// kernel resolves paths relative to the descriptor and does not check that it is below the root.
  static func check(_ streams: [Int32]) throws(PlanError) {
    for (number, descriptor) in streams.enumerated()
    where descriptor >= 0 && !streams[..<number].contains(descriptor) {
      let isDirectoryOrPath: Bool
      do { isDirectoryOrPath = try Descriptor.isDirectoryOrPath(descriptor) } catch { throw .path(error) }
      if isDirectoryOrPath { throw .notAStream(number) }
    }
  }

  /// Refuses sockets.
  ///
  /// Through a socket of the host, an extension could reach the peer of the socket and pass descriptors in
  /// both directions (unix(7), `SCM_RIGHTS`). Connected streams have been replaced by pipes before this check
  /// (``StreamRelay``).
  static func checkSockets(_ descriptors: [Int32]) throws(PlanError) {
    for (number, descriptor) in descriptors.enumerated() where descriptor >= 0 {
      let kind: StreamSocket.Kind?
      do { kind = try StreamSocket.kind(ofNumber: descriptor) } catch { throw .path(error) }
      if kind != nil { throw .socket(number) }
    }
  }
}
