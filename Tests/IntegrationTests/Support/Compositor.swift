// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A Wayland compositor without a screen, which can be looked at: a sway of a test's own, which ends with its owner.
///
/// It is an ordinary person's: sway does not start as root.
final class Compositor {
  /// Whose it is.
  private let place: Place
  private let command: Command
  /// Where its sockets are.
  let directory: String
  /// The name of its socket.
  let display: String
  private let control: String

  /// Starts one whose screen has so many pixels.
  init(width: Int, height: Int) throws {
    let place = try Place(.ordinary)
    let directory = place.file("run")
    try FileSystem.makeDirectory(directory)
    try place.give(directory)
    let configuration = try place.write(
      "sway.conf",
      "output HEADLESS-1 resolution \(width)x\(height)\ndefault_border none\nxwayland disable\n"
    )
    command = try place.start([
      "/usr/bin/env", "XDG_RUNTIME_DIR=\(directory)", "WLR_BACKENDS=headless", "WLR_RENDERER=pixman",
      "WLR_LIBINPUT_NO_DEVICES=1", "/usr/bin/sway", "-c", configuration,
    ])
    var (display, control): (String?, String?)
    try command.wait {
      let names = try FileSystem.names(in: directory)
      display = names.first { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }
      control = names.first { $0.hasPrefix("sway-ipc.") && $0.hasSuffix(".sock") }
      return display != nil && control != nil
    }
    self.display = try #require(display)
    self.control = "\(directory)/\(try #require(control))"
    self.place = place
    self.directory = directory
  }

  deinit {
    kill()
    _ = try? command.end()
  }

  /// What a program needs in its environment to find it.
  var variables: [String] { ["XDG_RUNTIME_DIR=\(directory)", "WAYLAND_DISPLAY=\(display)"] }

  /// Ends it at once.
  func kill() { command.signal(SIGKILL) }

  /// Tells it something, or asks it.
  @discardableResult
  func message(_ words: String...) throws -> String {
    let result = try place.start(["/usr/bin/swaymsg", "-s", control] + words).end()
    try #require(result.code == 0, "swaymsg \(words): \(result.errors)\(result.text)")
    return result.text
  }

  /// Types at a keyboard that comes and goes.
  func type(_ words: String...) throws {
    let program = ["/usr/bin/env"] + variables + ["/usr/bin/wtype"]
    let result = try place.start(program + words).end()
    try #require(result.code == 0, "wtype \(words): \(result.errors)\(result.text)")
  }

  /// The title of the viewfinder's window; nil: there is none.
  func title() throws -> String? {
    func title(in node: JSONValue) -> String? {
      if node["app_id"]?.string == "darkroom" { return node["name"]?.string }
      for list in ["nodes", "floating_nodes"] {
        for child in node[list]?.elements ?? [] {
          if let found = title(in: child) { return found }
        }
      }
      return nil
    }
    return title(in: try place.json(Array(try message("-t", "get_tree").utf8)))
  }

  /// What is on its screen.
  struct Screen {
    /// Pixels in a row.
    var width: Int
    /// Rows.
    var height: Int
    /// Red, green and blue, row after row.
    var pixels: ArraySlice<UInt8>

    /// The colour of a pixel.
    func colour(_ column: Int, _ row: Int) -> [Int] {
      let start = pixels.startIndex + 3 * (row * width + column)
      return pixels[start..<start + 3].map(Int.init)
    }
  }

  /// A picture of its screen.
  func screen() throws -> Screen {
    let result = try place.start(["/usr/bin/env"] + variables + ["/usr/bin/grim", "-t", "ppm", "-"]).end()
    try #require(result.code == 0, "grim: \(result.errors)")
    // P6, width, height, 255: each ends with one white space.
    var rest = result.output[...]
    var words: [String] = []
    while words.count < 4 {
      let word = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
      words.append(String(decoding: word, as: UTF8.self))
      rest = rest.dropFirst(word.count + 1)
    }
    let (width, height) = (try #require(Int(words[1])), try #require(Int(words[2])))
    try #require(words[0] == "P6" && rest.count == 3 * width * height)
    return Screen(width: width, height: height, pixels: rest)
  }
}
