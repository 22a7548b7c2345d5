// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The program that makes the attempts.
package struct ProbeProgram: Sendable {
  /// The path of the program.
  package let path: String

  /// Returns the program at a given path, or else the first one in the directory of this program and in
  /// `../libexec/darkroom`.
  package static func find(_ named: String?) throws(AttackError) -> ProbeProgram {
    if let named {
      do { return ProbeProgram(path: try FileSystem.realPath(named)) } catch { throw .unusable(named, error) }
    }
    let places: [String]
    do throws(SystemCallError) {
      let beside = FileSystem.directoryName(try CurrentProcess.executablePath())
      places = [beside, "\(FileSystem.directoryName(beside))/libexec/darkroom"]
    } catch { throw .system(error) }
    for place in places {
      if let path = try? FileSystem.realPath("\(place)/darkroom-probe") { return ProbeProgram(path: path) }
    }
    throw .noProbe(places)
  }

  /// Returns the attempts that the program lists.
  package func attempts() throws(AttackError) -> [Attempt] {
    let result: ChildProgram.Result
    do throws(SystemCallError) {
      let null = try FileSystem.open("/dev/null", .read)
      result = try ChildProgram.run(
        path,
        ["--list"],
        input: null.rawValue,
        until: MonotonicClock.now + 10_000_000_000
      )
    } catch { throw .unusable(path, error) }
    let attempts = Attempt.list(String(decoding: result.output, as: UTF8.self))
    guard result.status == .exited(0), !attempts.isEmpty else { throw .noList(path) }
    return attempts
  }
}
