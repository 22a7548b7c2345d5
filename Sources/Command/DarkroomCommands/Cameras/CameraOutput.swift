// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
internal import JSONText
internal import PolicyExplanation

/// The output of the camera commands.
enum CameraOutput {
  /// Returns a camera as JSON.
  static func json(_ camera: ListedCamera) -> JSONValue {
    switch camera.identity {
    case .success(let identity):
      [
        "path": .string(camera.path), "name": .string(identity.name), "driver": .string(identity.driver),
        "bus": .string(identity.bus), "device": .string(identity.uniqueID),
      ]
    case .failure(let fault): ["path": .string(camera.path), "error": .string("\(fault)")]
    }
  }

  /// Returns a process that uses a camera as JSON.
  static func json(_ holder: CameraHolder) -> JSONValue {
    ["process": .integer(Int64(holder.process)), "program": .string(holder.program)]
  }

  /// Returns a pixel format as JSON.
  static func json(_ format: CameraFormat) -> JSONValue {
    let sizes: [JSONValue] =
      switch format.sizes {
      case .listed(let listed): listed.map(json)
      case .range(let from, let to, let widthStep, let heightStep):
        [
          [
            "from": json(from), "to": json(to), "widthStep": .integer(Int64(widthStep)),
            "heightStep": .integer(Int64(heightStep)),
          ]
        ]
      }
    return [
      "format": .string(format.pixels.description), "title": .string(format.title),
      "usable": .bool(isUsable(format)), "sizes": .array(sizes),
    ]
  }

  /// Returns a frame size as JSON.
  private static func json(_ size: CameraSize) -> JSONValue {
    let rates = size.rates.map { rate -> JSONValue in
      [.integer(Int64(rate.numerator)), .integer(Int64(rate.denominator))]
    }
    return [
      "width": .integer(Int64(size.width)), "height": .integer(Int64(size.height)),
      "frameRates": .array(rates),
    ]
  }

  /// Returns a device control as JSON.
  static func json(_ control: DeviceControl) -> JSONValue {
    .object([
      "name": .string(control.name), "title": .string(control.title), "kind": .string(control.kind.rawValue),
      "minimum": .integer(Int64(control.minimum)), "maximum": .integer(Int64(control.maximum)),
      "step": .integer(Int64(control.step)), "default": .integer(Int64(control.standard)),
      "value": control.value.map { .integer(Int64($0)) }, "access": .string(control.access.rawValue),
      "entries": control.entries.isEmpty ? nil : .array(control.entries.map(json)),
    ])
  }

  /// Returns an entry of an integer menu as JSON.
  private static func json(_ entry: DeviceControl.Entry) -> JSONValue {
    ["index": .integer(Int64(entry.index)), "value": .integer(Int64(entry.value))]
  }

  /// Returns whether frames of a format can be converted.
  private static func isUsable(_ format: CameraFormat) -> Bool {
    PixelFormat.preferred.contains(format.pixels)
  }

  /// Returns a table of formats, with one frame size per line.
  static func table(_ formats: [CameraFormat]) -> TextTable {
    var table = TextTable([.init("FORMAT"), .init("SIZE"), .init("FRAMES/S"), .init("")])
    for format in formats {
      let remark = isUsable(format) ? "" : "not supported"
      switch format.sizes {
      case .listed(let listed):
        for size in listed {
          table.add([format.pixels.description, text(size), rates(size.rates, " "), remark])
        }
      case .range(let from, let to, _, _):
        let both = "\(text(from)) to \(text(to))"
        table.add([format.pixels.description, both, rates(from.rates, " to "), remark])
      }
    }
    return table
  }

  /// Returns a table of device controls.
  static func table(_ controls: [DeviceControl]) -> TextTable {
    var table = TextTable([
      .init("CONTROL"), .init("VALUE", .right), .init("FROM", .right), .init("TO", .right),
      .init("STEP", .right),
      .init("DEFAULT", .right), .init(""),
    ])
    for control in controls {
      let remark =
        switch control.access {
        case .adjustable: ""
        case .inactive: "inactive"
        case .readOnly: "read-only"
        }
      table.add([
        control.name, control.value.map { "\($0)" } ?? "-", "\(control.minimum)", "\(control.maximum)",
        "\(control.step)", "\(control.standard)", remark,
      ])
    }
    return table
  }

  /// Returns a size in the form `1280x720`.
  private static func text(_ size: CameraSize) -> String { "\(size.width)x\(size.height)" }

  /// Returns frame rates, joined by a separator.
  private static func rates(_ rates: [FrameRate], _ separator: String) -> String {
    rates.isEmpty ? "-" : rates.map(\.description).joined(separator: separator)
  }
}
