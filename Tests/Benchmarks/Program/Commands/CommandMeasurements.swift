// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives
import SessionStore

/// The whole command line from start to exit, including all work of `darkroom exec` for a program, with and
/// without `darkroom serve`; a session that a program requests from the server, from the request to its result;
/// and a session of the library for hosts.
enum CommandMeasurements: MeasurementGroup {
  static let name = "command"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let number = setup.null.rawValue
    guard let products = setup.products else {
      return [Table("commands, start to end", [], baseline: "", notes: ["skipped: requires --products DIR"])]
    }
    var steps: [(name: String, step: () throws -> Void)] = ([setup.line.bare] + setup.line.peers)
      .map { launcher in
        (
          launcher.name,
          { try launcher.start(.staticC, input: number, output: number).finish(launcher.name) }
        )
      }
    let server = try ServerProgram("\(products)/darkroom", setup)
    for (name, words) in commands(products, server, setup) {
      steps.append(
        (
          name,
          {
            try SpawnedProgram.start(words, descriptors: [0: number, 1: number, 2: number]).finish(name)
          }
        )
      )
    }
    let sessions = try InterfaceSessions(server)
    let requested = { try sessions.run(setup.path(.staticC), app: setup.app.id) }
    steps.append(("session/launchProgram … static C, served", requested))
    let library = try LibrarySessions(setup)
    defer { library.close() }
    steps.append(("SessionRunner … static C", { try library.runDirectly() }))
    steps.append(("DarkroomHost.launch … static C", { try library.run() }))
    return try withExtendedLifetime(server) {
      [try compare("commands, start to end", rounds: max(10, setup.runs / 4), steps)]
    }
  }

  /// Returns the measured command lines with their names in the table.
  private static func commands(
    _ products: String,
    _ server: ServerProgram,
    _ setup: BenchmarkSetup
  ) -> [(name: String, words: [String])] {
    let darkroom = "\(products)/darkroom"
    let client = "\(darkroom)-client"
    // A client that prints texts from the file of the full command, as in the package.
    let prepared = "\(products)/prepared/darkroom-client"
    let place = ["--root", setup.root.path]
    let run = ["exec", "--app", setup.app.id]
    let program = ["--", setup.path(.staticC)]
    let exec = place + run
    let served = server.options + run
    return [
      ("darkroom --version", [darkroom, "--version"]), ("darkroom list", [darkroom] + place + ["list"]),
      ("darkroom-client --version", [client, "--version"]),
      ("darkroom-client help exec", [prepared, "help", "exec"]),
      ("darkroom-client completion bash", [prepared, "completion", "bash"]),
      ("darkroom exec … static C", [darkroom] + exec + program),
      ("darkroom exec --policy strict … static C", [darkroom] + exec + ["--policy", "strict"] + program),
      ("darkroom exec … static C, served", [darkroom] + served + program),
      ("darkroom-client exec … static C, served", [client] + served + program),
      ("darkroom exec … true", [darkroom] + exec + ["--", "true"]),
      ("darkroom-client exec … true", [client] + exec + ["--", "true"]),
      ("darkroom policy verify capture", [darkroom] + place + ["policy", "verify", "capture"]),
    ]
  }
}
