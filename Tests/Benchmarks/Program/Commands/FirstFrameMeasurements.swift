// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import Glibc
import JSONText
import LinuxPrimitives

/// From the press to the first visible image: from the start of `darkroom run` until the host writes the
/// first viewfinder frame that the extension draws.
enum FirstFrameMeasurements: MeasurementGroup {
  static let name = "first-frame"
  /// The title of the table.
  static let title = "press to the viewfinder's first frame (1280x720, 60 a second)"

  /// Returns the name of the row of an extension.
  static func line(_ language: String) -> String { "extension in \(language)" }

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    guard let products = setup.products else {
      return [Table(title, [], baseline: "", notes: ["skipped: requires --products DIR"])]
    }
    let directory = "\(setup.directory)/first-frame"
    let extensions = [
      (line("C"), setup.path(.viewfinder)), (line("Swift (Snapshot)"), "\(products)/Snapshot"),
    ].filter { (try? FileSystem.status($0.1)) ?? nil != nil }
    let app = FirstFrameApp(darkroom: "\(products)/darkroom", directory: directory, null: setup.null.rawValue)
    try app.install(extensions.map(\.1))
    let bare = setup.line.bare
    var series = [Series("\(bare.name) of static C")] + extensions.map { Series($0.0) }
    let number = setup.null.rawValue
    try interleave(
      rounds: max(5, setup.runs / 10),
      [{ series[0].add(nanoseconds: try bare.time(.staticC, input: number).times.firstByte) }]
        + extensions.indices.map { index in
          { series[index + 1].add(nanoseconds: try app.firstFrame(of: index)) }
        }
    )
    return [Table(title, series, baseline: series[1].name)]
  }
}

/// An app with extensions in its own state root, run by `darkroom run`.
private struct FirstFrameApp {
  let darkroom: String
  let directory: String
  let null: Int32

  private var start: [String] { [darkroom, "--root", "\(directory)/root"] }

  /// Installs an app with one extension for each program.
  func install(_ programs: [String]) throws {
    let use: JSONValue = ["camera": "To measure it."]
    let bundle = "\(directory)/bundle"
    try FileSystem.makeDirectories("\(bundle)/Extensions", mode: 0o755)
    try write("\(bundle)/app.json", ["id": "org.example.press", "name": "Press", "usageDescriptions": use])
    for (index, program) in programs.enumerated() {
      let directoryPath = "\(bundle)/Extensions/E\(index)"
      try FileSystem.makeDirectories(directoryPath, mode: 0o755)
      try FileSystem.copyFile(program, to: "\(directoryPath)/program", mode: 0o755)
      try write(
        "\(directoryPath)/extension.json",
        [
          "id": .string("org.example.press.e\(index)"), "name": "Extension", "executable": "program",
          "protocol": "1", "policy": "capture", "usageDescriptions": use,
        ]
      )
    }
    try SpawnedProgram.start(start + ["install", bundle], descriptors: [0: null, 1: null])
      .finish("darkroom install")
  }

  private func write(_ path: String, _ document: JSONValue) throws {
    try FileSystem.replaceContents(path, with: document.bytes(.indented), mode: 0o644)
  }

  /// Runs an extension until its first frame arrives and returns the duration in nanoseconds.
  func firstFrame(of index: Int) throws -> UInt64 {
    let pipe = "\(directory)/viewfinder"
    try? FileSystem.unlink(pipe)
    guard mkfifo(pipe, 0o600) == 0 else { throw SystemCallError("mkfifo", path: pipe) }
    let input = try FileSystem.open(pipe, [.read, .nonBlocking])
    let began = MonotonicClock.now
    let program = try SpawnedProgram.start(
      start + [
        "run", "--quiet", "--library", "\(directory)/library", "--camera", "pattern:1280x720@60", "--preview",
        pipe,
        "org.example.press.e\(index)",
      ],
      descriptors: [0: null, 1: null, 2: null]
    )
    let name = "darkroom run --preview"
    guard try waitForFrame(input, until: began + 20_000_000_000) else { throw BenchmarkError.noOutput(name) }
    let duration = MonotonicClock.now - began
    program.send(.terminate)
    // The host exits with this code after SIGTERM.
    let status = try program.reap()
    guard status == .exited(75) else { throw BenchmarkError.unexpectedExit(name, status) }
    return duration
  }

  /// Waits until the first frame follows the header of the stream.
  private func waitForFrame(_ input: borrowing Descriptor, until deadline: UInt64) throws -> Bool {
    var text: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    while MonotonicClock.now < deadline {
      _ = try Poller.wait([(input.rawValue, .readable)], until: deadline)
      guard case .bytes(let count) = try input.read(into: chunk) else {
        // Before the writer opens the pipe, polling returns at once.
        MonotonicClock.sleep(milliseconds: 1)
        continue
      }
      text += chunk[..<count]
      guard let frame = ByteSearch.first(Array("\nFRAME".utf8), in: text) else { continue }
      if text[(frame + 1)...].contains(UInt8(ascii: "\n")) { return true }
    }
    return false
  }
}
