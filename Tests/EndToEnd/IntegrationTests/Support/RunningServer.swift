// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import Testing

/// A server of a place's state root, which ends with its owner.
final class RunningServer {
  /// The server's process.
  let command: Command
  private let place: Place
  private let output: String
  private let errors: String

  /// The socket.
  static func socket(_ place: Place) -> String { "\(place.root)/serve/control" }

  /// Starts a server, and waits until it listens.
  init(_ place: Place, variables: [String] = [], options: [String] = []) throws {
    self.place = place
    output = place.file("\(place.nextCommand).out")
    errors = place.file("\(place.nextCommand).err")
    let before = place.variables
    place.variables += variables
    defer { place.variables = before }
    command = try place.startDarkroom("serve", ["--json"] + options)
    try command.wait { try self.count("ready") == 1 }
  }

  deinit {
    // Its sessions end with it.
    command.signal(SIGKILL)
  }

  /// What it has told so far.
  func events() throws -> [JSONValue] {
    let bytes = try FileSystem.contents(output, limit: 1 << 20) ?? []
    return try bytes.split(separator: UInt8(ascii: "\n")).map { try place.json(Array($0)) }
  }

  /// What it has said so far that is no event.
  func notes() throws -> String { String(decoding: try FileSystem.contents(errors) ?? [], as: UTF8.self) }

  /// How often it has told of such an event.
  func count(_ name: String) throws -> Int { try events().count { $0["event"]?.string == name } }

  /// The reasons for which it has left commands to their clients.
  func refusals() throws -> [String] {
    try events().filter { $0["event"]?.string == "refused" }.map { event in
      [event["reason"]?.string, event["of"]?.string].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// Waits until it has told so often of an event.
  func wait(for name: String, _ count: Int = 1) throws {
    try command.wait { try self.count(name) >= count }
  }

  /// Ends it as a person does, and sees that it has left nothing. `company` ends when the server has, and is no leftover.
  func stop(with company: Command? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    command.signal(SIGTERM)
    let result = try command.end(sourceLocation: sourceLocation)
    #expect(result.code == 0, "\(result.errors)", sourceLocation: sourceLocation)
    #expect(try count("stopped") == 1, sourceLocation: sourceLocation)
    #expect(try FileSystem.status(Self.socket(place)) == nil, sourceLocation: sourceLocation)
    if let company { #expect(try company.end().code == 0, sourceLocation: sourceLocation) }
    try place.expectNothingLeft(sourceLocation: sourceLocation)
  }
}
