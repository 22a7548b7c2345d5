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
    let bare = setup.line.bare
    var steps: [(name: String, step: () throws -> Void)] = ([bare] + setup.line.peers)
      .map { launcher in
        (
          launcher.name,
          { try launcher.start(.staticC, input: number, output: number).finish(launcher.name) }
        )
      }
    guard let products = setup.products else {
      return [Table("commands, start to end", [], baseline: "", notes: ["skipped: requires --products DIR"])]
    }
    let darkroom = "\(products)/darkroom"
    let start = [darkroom, "--root", setup.root.path]
    let run = ["exec", "--app", setup.app.id]
    let exec = start + run
    let server = try ServerProgram(darkroom, setup)
    let served = [darkroom] + server.options + run
    let client = "\(darkroom)-client"
    let prepared = "\(products)/prepared/darkroom-client"
    let clientExec: [String] = [client] + exec.dropFirst()
    let clientServed: [String] = [client] + served.dropFirst()
    let commands = [
      ("darkroom --version", [darkroom, "--version"]), ("darkroom list", start + ["list"]),
      ("darkroom-client --version", [client, "--version"]),
      ("darkroom-client help exec", [prepared, "help", "exec"]),
      ("darkroom-client completion bash", [prepared, "completion", "bash"]),
      ("darkroom exec … static C", exec + ["--", setup.path(.staticC)]),
      (
        "darkroom exec --policy strict … static C",
        exec + ["--policy", "strict", "--", setup.path(.staticC)]
      ),
      ("darkroom exec … static C, served", served + ["--", setup.path(.staticC)]),
      (
        "darkroom-client exec … static C, served",
        clientServed + ["--", setup.path(.staticC)]
      ),
      ("darkroom exec … true", exec + ["--", "true"]),
      ("darkroom-client exec … true", clientExec + ["--", "true"]),
      ("darkroom policy verify capture", start + ["policy", "verify", "capture"]),
    ]
    for (name, words) in commands {
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
}
