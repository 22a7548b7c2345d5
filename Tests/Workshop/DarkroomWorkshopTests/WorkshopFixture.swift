// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import DarkroomWorkshop
import TestSupport

/// A host with a state directory of its own, and an app in shell, which is created from its template.
final class WorkshopFixture: Sendable {
  /// The host.
  let host: DarkroomHost
  private let scratch: ScratchDirectory

  /// Creates a host with an empty state directory.
  init() throws {
    scratch = try ScratchDirectory()
    var configuration = HostConfiguration()
    (configuration.lockState, configuration.photoLibrary) = (.fixed(.unlocked), .none)
    host = try DarkroomHost(stateDirectory: .path("\(scratch.path)/state"), configuration: configuration)
  }

  /// Returns the path of a file in the fixture's directory.
  func file(_ name: String) -> String { "\(scratch.path)/\(name)" }

  /// Creates the app, and returns the path of its directory.
  func makeApp() async throws -> String {
    try await AppTemplate("camera", in: .shell).create(in: scratch.path)
  }
}

extension HostError {
  /// Whether the error is an invalid argument.
  var isArgument: Bool { if case .argument = self { true } else { false } }
}
