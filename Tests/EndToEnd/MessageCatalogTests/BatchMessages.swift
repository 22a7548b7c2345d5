// SPDX-License-Identifier: Apache-2.0

@testable import CaptureHost
@testable import LinuxPrimitives
@testable import SessionServices
@testable import SessionStore

extension BatchError: CaseSamples {
  static var catalogSamples: [(String, BatchError)] {
    let input = BatchInput("/srv/scans/one.jpg")
    let definition = BatchDefinition(name: "scans", app: StoreMessages.app, command: ["sh", "-c", "wc $1"])
    return [
      ("directory", .directory(SystemCallError("realpath", path: "/srv/scans", errno: .noSuchFile))),
      ("list", .list(SystemCallError("read", errno: .isADirectory))),
      ("listTooLong", .listTooLong(limit: 1 << 30)),
      ("busy", .busy(name: "scans")), ("differentCommand", .differentCommand(definition)),
      ("notRecovered", .notRecovered(StoreMessages.session, input, nil)),
      ("notRecovered", .notRecovered(StoreMessages.session, input, .noSpace(path: StoreMessages.root))),
      ("store", .store(.noSpace(path: StoreMessages.root))),
      ("session", .session(input, .insufficientSpace(SessionMessages.full))),
      ("host", .host(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .directory, .list, .listTooLong, .busy, .differentCommand, .notRecovered, .store, .session, .host:
      true
    }
  }
}
