// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives

/// Makes the attempts of `darkroom-probe` in real sandboxes, one sandbox each, and prints the results.
///
/// This is a separate program so that tests can run it as another user and kill it.
@main
struct ProbeHost {
  static func main() async {
    do {
      let options = try ProbeOptions(CommandLine.arguments.dropFirst())
      let host = try HostileHost(options)
      switch options.thread {
      case .plain: try onPlainThread(host)
      case .task: try await Task.detached { try host.run() }.value
      }
    } catch {
      printLine("ERROR: \(error)")
      exit(1)
    }
  }

  /// Runs the host on a thread with all signals blocked.
  private static func onPlainThread(_ host: HostileHost) throws {
    let thread = try PlainThread.start(name: "probe-host") {
      do { try host.run() } catch {
        printLine("ERROR: \(error)")
        exit(1)
      }
    }
    thread.join()
  }
}

/// Writes a line without buffering, because the reader may then kill this process.
func printLine(_ line: String) { try? Descriptor.write([UInt8]("\(line)\n".utf8), toNumber: 1) }
