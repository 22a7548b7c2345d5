// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// What a person has: an installed app that may use photos, and an older picture of their own.
final class PhotoSetting {
  /// Where they are.
  let place: Place
  /// The id of the older picture.
  let old: String
  private var session = ""

  /// The library.
  var library: String { place.file("library") }

  init(_ person: Person, _ permissions: [String: String] = ["photos": "authorized"]) throws {
    place = try Place(person)
    try place.installSmall()
    let picture = try place.write("old.jpg", "an older picture\n")
    let library = ["--library", place.file("library")]
    let imported = try place.darkroom("photos", ["import", "org.example.other", picture] + library)
    try #require(imported.code == 0, "\(imported.errors)")
    let list = try place.darkroom("photos", ["list", "--json"] + library)
    old = try #require(try place.json(list.output)["assets"]?.elements?.first?["id"]?.string)
    for (subject, state) in permissions { try permit(subject, state) }
  }

  /// Decides what the app may use.
  func permit(_ subject: String, _ state: String) throws {
    let result = try place.darkroom("permission", ["set", Place.app, subject, state])
    try #require(result.code == 0, "\(result.errors)")
  }

  /// Starts a session with these orders; OLD is the older picture.
  func start(_ orders: String) throws -> Command {
    let orders = orders.split(separator: "OLD", omittingEmptySubsequences: false).joined(separator: old)
    let context = try place.darkroom("context", ["set", Place.app, "\"\(orders)\""])
    try #require(context.code == 0, "\(context.errors)")
    session = place.nextCommand
    return try place.startDarkroom(
      "run",
      [
        "--library", library, "--watchdog", "0s", "--grace", "5s", "--record",
        place.file("record.json"), "\(Place.app).misbehaving",
      ]
    )
  }

  /// What the extension of the session that runs has said so far.
  func said() throws -> String {
    String(decoding: try FileSystem.contents(place.file("\(session).err")) ?? [], as: UTF8.self)
  }

  /// What an order has found out, of everything that was said.
  static func found(_ order: String, _ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard let range = line.ranges(of: "\(order): ").first else { return nil }
      return String(line[range.upperBound...])
    }
  }

  /// Runs a session and gives what was said.
  func play(_ orders: String) throws -> String {
    let result = try start(orders + " dismiss").end()
    try #require(result.code == 0, "\(result.errors)")
    try place.expectNothingLeft()
    return result.errors
  }

  /// The record of the last session.
  func record() throws -> JSONValue {
    try place.json(try #require(try FileSystem.contents(place.file("record.json"))))
  }

  /// What the person finds in their library.
  func assets() throws -> [JSONValue] {
    let list = try place.darkroom("photos", ["list", "--json", "--library", library])
    try #require(list.code == 0, "\(list.errors)")
    return try place.json(list.output)["assets"]?.elements ?? []
  }
}
