// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText
internal import LinuxPrimitives

extension HostOperation {
  /// The methods that only the client that launched a session may call.
  static let launcherMethods: Set<String> = [
    "OpenViewfinder", "NextFrame", "ReleaseFrame", "OpenSound", "NextSound",
  ]

  /// Returns the operation of a method of a session, or `nil` if the method is unknown. `GetResult` has no
  /// operation: the service waits for the result of each session.
  static func session(_ member: String, _ id: String, _ arguments: BusArguments) throws(BusFailure)
    -> HostOperation?
  {
    let session = JSONValue.Member("session", .string(id))
    let phases = ["Tap": "tap", "Press": "began", "Release": "ended", "Cancel": "cancelled"]
    if let phase = phases[member] {
      let button = JSONValue.Member("button", .string(arguments.text(0)))
      return HostOperation("session/press", .object([session, button, .init("phase", .string(phase))]))
    }
    switch member {
    case "Pointer":
      return HostOperation(
        "session/pointer",
        .object([
          session, .init("contact", .integer(Int64(arguments.number(0)))),
          .init("phase", .string(arguments.text(1))), .init("x", try arguments.json(2)),
          .init("y", try arguments.json(3)),
        ])
      )
    case "Adjust":
      let control = JSONValue.Member("control", .string(arguments.text(0)))
      return HostOperation(
        "session/adjust",
        .object([session, control, try adjustment(arguments.variant(1))])
      )
    case "Dismiss": return HostOperation("session/dismiss", .object([session]))
    case "Terminate": return HostOperation("session/terminate", .object([session]))
    case "OpenViewfinder":
      return HostOperation("viewfinder/open", .object([session]), .frames, reply: viewfinder)
    case "NextFrame":
      return HostOperation("viewfinder/next", .object([session]), .frames, reply: frame)
    case "ReleaseFrame": return HostOperation("viewfinder/release", .object([session]), .frames)
    case "OpenSound": return HostOperation("sound/open", .object([session]), .concurrent, reply: sound)
    case "NextSound":
      let parameters = JSONValue.object([session, .init("after", try arguments.json(0))])
      return HostOperation("sound/next", parameters, .concurrent, reply: block)
    default: return nil
    }
  }

  private static func adjustment(_ value: BusValue) throws(BusFailure) -> JSONValue.Member {
    switch value {
    case .double: .init("value", try value.json())
    case .int32(let steps): .init("steps", .integer(Int64(steps)))
    case .string(let title): .init("title", .string(title))
    default:
      throw .invalidArguments(
        "an adjustment is a value (d), steps (i) or a title (s), not '\(value.signature)'"
      )
    }
  }

  private static let viewfinder: Reply = { result throws(BusFailure) in
    guard result.value["opened"]?.bool == true, let memory = result.descriptors.first else {
      throw .own("noViewfinder", "the session ended before it had a viewfinder")
    }
    let planes = (result.value["planes"]?.elements ?? []).map { plane in
      BusValue.structure([
        .uint64(large(plane, "offset")), .uint32(small(plane, "stride")), .uint32(small(plane, "rows")),
        .uint32(small(plane, "rowBytes")),
      ])
    }
    return [
      .descriptor(memory), .uint64(large(result.value, "bytes")), .uint32(small(result.value, "width")),
      .uint32(small(result.value, "height")), .array(element: "(tuuu)", planes),
    ]
  }

  private static let frame: Reply = { result throws(BusFailure) in
    [
      .bool(result.value["more"]?.bool ?? false), .uint64(large(result.value, "offset")),
      .uint64(large(result.value, "sequence")), .uint64(large(result.value, "timestamp")),
    ]
  }

  private static let sound: Reply = { result throws(BusFailure) in
    guard result.value["opened"]?.bool == true, let memory = result.descriptors.first else {
      throw .own("noMicrophone", "the session has no microphone")
    }
    return [
      .descriptor(memory), .uint64(large(result.value, "bytes")), .uint32(small(result.value, "sampleRate")),
      .uint32(small(result.value, "channels")), .uint32(small(result.value, "blockFrames")),
      .int64(result.value["clockLead"]?.integer ?? 0),
    ]
  }

  private static let block: Reply = { result throws(BusFailure) in
    [.bool(result.value["more"]?.bool ?? false), .uint64(large(result.value, "published"))]
  }
}
