// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives

/// Makes the attempts of `darkroom-probe` in real sandboxes, one each, and prints what came of them.
///
/// A program of its own, so that the tests can run it as another user, and kill it.
@main
struct ProbeHost {
  /// Parses, runs, prints.
  static func main() async {
    do {
      let options = try ProbeOptions(CommandLine.arguments.dropFirst())
      let host = try HostileHost(options)
      switch options.thread {
      case .plain: try onPlainThread(host)
      case .task: try await Task.detached { try host.run() }.value
      }
    } catch {
      say("ERROR: \(error)")
      exit(1)
    }
  }

  /// A thread in which every signal is blocked.
  private static func onPlainThread(_ host: HostileHost) throws {
    let thread = try PlainThread.start(name: "probe-host") {
      do { try host.run() } catch {
        say("ERROR: \(error)")
        exit(1)
      }
    }
    thread.join()
  }
}

/// Writes a line at once: whoever reads it may then kill this process.
func say(_ line: String) { try? Descriptor.write([UInt8]("\(line)\n".utf8), toNumber: 1) }
