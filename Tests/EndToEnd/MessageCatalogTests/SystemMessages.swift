// SPDX-License-Identifier: Apache-2.0

@testable import LinuxPrimitives

/// The types of the floor System that produce messages.
enum SystemMessages {
  static var types: [any MessageSamples.Type] {
    [
      Errno.self, SystemCallError.self, OutputFileError.self, CallRefusal.self, RefusedCall.self,
      ProcessFiltersError.self, Signal.self,
    ]
  }

  /// A failure of open(2), for messages that contain the error of a call.
  static let notFound = SystemCallError("open", path: "/home/ada/notes.txt", errno: .noSuchFile)
  /// A failure without permission.
  static let denied = SystemCallError(
    "openat2",
    path: "/home/ada/.local/state/darkroom",
    errno: .permissionDenied
  )
  /// A failure of a call without a path.
  static let exhausted = SystemCallError("pipe2", errno: Errno(rawValue: 24))
}

extension Errno: MessageSamples {
  static var catalogSamples: [(String, Errno)] { [("", .noSuchFile), ("", Errno(rawValue: 4000))] }
}

extension SystemCallError: MessageSamples {
  static var catalogSamples: [(String, SystemCallError)] {
    [("", SystemMessages.notFound), ("", SystemMessages.denied), ("", SystemMessages.exhausted)]
  }
}

extension OutputFileError: CaseSamples {
  static var catalogSamples: [(String, OutputFileError)] {
    [
      ("system", .system(SystemMessages.notFound)), ("system", .system(SystemMessages.exhausted)),
      ("unsupportedKind", .unsupportedKind("/dev/sda", .blockDevice)),
      ("foreignPipe", .foreignPipe("/tmp/record", owner: 1001)), ("noReader", .noReader("/tmp/record")),
      ("replacedMeanwhile", .replacedMeanwhile("/tmp/record.json")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .system, .unsupportedKind, .foreignPipe, .noReader, .replacedMeanwhile: true
    }
  }
}

extension CallRefusal: MessageSamples {
  static var catalogSamples: [(String, CallRefusal)] {
    let calls = ["renameat2", "openat2", "fsync", "unlinkat", "linkat"].map {
      RefusedCall($0, .error(.notPermitted))
    }
    var unit = InheritedFilter()
    unit.count = 1
    unit.unit = "capture.service"
    var container = InheritedFilter()
    container.count = 2
    container.container = "docker"
    var other = InheritedFilter()
    other.count = 1
    return [
      (
        "",
        CallRefusal(
          [RefusedCall("openat2", .error(.notImplemented))],
          by: InheritedFilter(),
          kernel: "5.10.0"
        )
      ),
      ("", CallRefusal([calls[0]], by: InheritedFilter(), kernel: "6.12.0")),
      ("", CallRefusal([calls[0]], by: unit, kernel: "6.12.0")),
      ("", CallRefusal(Array(calls.prefix(2)), by: container, kernel: "6.12.0")),
      ("", CallRefusal(calls, by: other, kernel: "6.12.0")),
    ]
  }
}

extension RefusedCall: MessageSamples {
  static var catalogSamples: [(String, RefusedCall)] {
    [
      ("", RefusedCall("openat2", .error(.notImplemented))), ("", RefusedCall("fsync", .pretended)),
      ("", RefusedCall("renameat2", .killed)),
    ]
  }
}

extension ProcessFiltersError: CaseSamples {
  static var catalogSamples: [(String, ProcessFiltersError)] {
    [
      ("noProcess", .noProcess), ("strictMode", .strictMode), ("unsupported", .unsupported),
      ("call", .call(SystemCallError("ptrace", errno: .notPermitted))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noProcess, .strictMode, .unsupported, .call: true
    }
  }
}

extension Signal: MessageSamples {
  static var catalogSamples: [(String, Signal)] {
    [("", .kill), ("", Signal(rawValue: 11)), ("", Signal(rawValue: 40))]
  }
}
