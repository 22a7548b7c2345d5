// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// A test home with an installed app that may use photos, and an older asset of another app.
final class PhotoSetting {
  /// The test home.
  let place: Place
  /// The ID of the older asset.
  let old: String
  private var session = ""

  /// The path of the photo library.
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

  /// Sets a permission of the app.
  func permit(_ subject: String, _ state: String) throws {
    let result = try place.darkroom("permission", ["set", Place.app, subject, state])
    try #require(result.code == 0, "\(result.errors)")
  }

  /// Starts a session with the given orders. OLD is replaced with the older asset's ID.
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

  /// Returns the standard error of the running session's extension so far.
  func said() throws -> String {
    String(decoding: try FileSystem.contents(place.file("\(session).err")) ?? [], as: UTF8.self)
  }

  /// Returns the results of an order in an output text.
  static func found(_ order: String, _ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard let range = line.ranges(of: "\(order): ").first else { return nil }
      return String(line[range.upperBound...])
    }
  }

  /// Runs a session and returns the extension's output.
  func play(_ orders: String) throws -> String {
    let result = try start(orders + " dismiss").end()
    try #require(result.code == 0, "\(result.errors)")
    try place.expectNothingLeft()
    return result.errors
  }

  /// Returns the record of the last session.
  func record() throws -> JSONValue {
    try place.json(try #require(try FileSystem.contents(place.file("record.json"))))
  }

  /// Returns the assets in the user's photo library.
  func assets() throws -> [JSONValue] {
    let list = try place.darkroom("photos", ["list", "--json", "--library", library])
    try #require(list.code == 0, "\(list.errors)")
    return try place.json(list.output)["assets"]?.elements ?? []
  }
}
