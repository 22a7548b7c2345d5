// SPDX-License-Identifier: Apache-2.0

internal import DarkroomHost
internal import JSONText

extension CameraDevice {
  /// The schema `CameraDevice`.
  var json: JSONValue {
    switch status {
    case .available(let identity):
      [
        "camera": .string(selection.description), "name": .string(identity.name),
        "driver": .string(identity.driver), "bus": .string(identity.bus),
        "device": .string(identity.deviceName),
      ]
    case .unavailable(let reason):
      ["camera": .string(selection.description), "error": .string(reason)]
    }
  }
}

extension MicrophoneDevice {
  /// The schema `MicrophoneDevice`.
  var json: JSONValue {
    ["microphone": .string(selection.description), "description": .string(description)]
  }
}

extension CameraCapture {
  /// The schema `CameraCapture`.
  var json: JSONValue {
    [
      "path": .string(path), "bytes": .integer(Int64(bytes)), "frames": .integer(Int64(frames)),
      "width": .integer(Int64(width)), "height": .integer(Int64(height)), "frameRate": .number(frameRate),
    ]
  }
}

extension ViewfinderImage {
  /// The result of `viewfinder/image`, without the bytes of the image.
  var json: JSONValue {
    .object([
      "format": .string(format.rawValue), "width": .integer(Int64(width)), "height": .integer(Int64(height)),
      "bytes": .integer(Int64(bytes.count)), "sequence": .integer(Int64(clamping: sequence)),
      "takenAt": takenAt.map(JSONValue.integer),
    ])
  }
}

extension UserAuthenticationResult {
  /// The schema `Authentication`.
  var json: JSONValue {
    switch self {
    case .succeeded: ["result": "succeeded"]
    case .failed: ["result": "failed"]
    case .cancelled: ["result": "cancelled"]
    case .timedOut: ["result": "timedOut"]
    case .tooManyAttempts: ["result": "tooManyAttempts"]
    case .unavailable(let reason): ["result": "unavailable", "reason": .string(reason)]
    }
  }
}

extension HostPhotos.Discrepancy {
  /// The schema `PhotoDiscrepancy`.
  var json: JSONValue { ["asset": asset.json, "missing": .bool(isMissing)] }
}
