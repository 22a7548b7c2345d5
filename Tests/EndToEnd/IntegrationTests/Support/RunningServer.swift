// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import Testing

/// A running server of a test home's state root, which is killed with this object.
final class RunningServer {
  /// The server's process.
  let command: Command
  private let home: TestHome
  private let output: String
  private let errors: String

  /// Returns the path of the server's socket.
  static func socket(_ home: TestHome) -> String { "\(home.root)/serve/control" }

  /// Starts a server and waits until it listens.
  init(_ home: TestHome, variables: [String] = [], options: [String] = []) throws {
    self.home = home
    output = home.file("\(home.nextOutputName).out")
    errors = home.file("\(home.nextOutputName).err")
    let before = home.variables
    home.variables += variables
    defer { home.variables = before }
    command = try home.startDarkroom("serve", ["--json"] + options)
    try command.wait { try self.count("ready") == 1 }
  }

  deinit {
    // The sessions of the server end with it.
    command.signal(SIGKILL)
  }

  /// Returns the JSON events of the server so far.
  func events() throws -> [JSONValue] {
    let bytes = try FileSystem.contents(output, limit: 1 << 20) ?? []
    return try bytes.split(separator: UInt8(ascii: "\n")).map { try home.json(Array($0)) }
  }

  /// Returns the standard error of the server so far.
  func errorOutput() throws -> String {
    String(decoding: try FileSystem.contents(errors) ?? [], as: UTF8.self)
  }

  /// Returns the number of events with a name.
  func count(_ name: String) throws -> Int { try events().count { $0["event"]?.string == name } }

  /// Returns the reasons for which the server has refused commands.
  func refusals() throws -> [String] {
    try events().filter { $0["event"]?.string == "refused" }.map { event in
      [event["reason"]?.string, event["of"]?.string].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// Waits until the server has reported an event a number of times.
  func wait(for name: String, _ count: Int = 1) throws {
    try command.wait { try self.count(name) >= count }
  }

  /// Stops the server with SIGTERM and checks that nothing is left. `companion` is a command that exits after
  /// the server and is not a leftover.
  func stop(with companion: Command? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    command.signal(SIGTERM)
    let result = try command.end(sourceLocation: sourceLocation)
    #expect(result.code == 0, "\(result.errors)", sourceLocation: sourceLocation)
    #expect(try count("stopped") == 1, sourceLocation: sourceLocation)
    #expect(try FileSystem.status(Self.socket(home)) == nil, sourceLocation: sourceLocation)
    if let companion { #expect(try companion.end().code == 0, sourceLocation: sourceLocation) }
    try home.expectNothingLeft(sourceLocation: sourceLocation)
  }
}
