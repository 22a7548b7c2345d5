// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import Testing

@Suite struct ProtocolDocumentTests {
  let document: ProtocolDocument

  init() throws { document = try ProtocolDocument() }

  @Test func `the document has exactly one section for each protocol method`() {
    let host = document.sections.filter(\.fromHost).map(\.name)
    let ours = document.sections.filter { !$0.fromHost }.map(\.name)
    #expect(host == HostMethod.allCases.map(\.rawValue))
    #expect(ours == ExtensionMethod.allCases.map(\.rawValue))
  }

  @Test func `every example in the document is encoded by the code byte for byte`() throws {
    for section in document.sections {
      let example = try #require(section.examples.first, "\(section.name) has no example")
      let line = example + [UInt8(ascii: "\n")]
      let again =
        section.fromHost ? try HostMessage(line: example).line : try ExtensionMessage(line: example).line
      #expect(String(decoding: again, as: UTF8.self) == String(decoding: line, as: UTF8.self))
    }
  }

  @Test func `every request has an example reply with the fields that the code encodes`() throws {
    for section in document.sections {
      let message = try JSONNode.parse(section.examples[0]).value
      guard message["id"] != nil else {
        #expect(section.examples.count == 1)
        continue
      }
      let reply = try #require(section.examples.count == 2 ? section.examples[1] : nil)
      let result = try #require(try JSONNode.parse(reply).value["result"])
      #expect(try typedResult(section, result).json == result)
      let line =
        section.fromHost ? try ExtensionMessage(line: reply).line : try HostMessage(line: reply).line
      #expect(line == reply + [UInt8(ascii: "\n")])
    }
  }

  private func typedResult(_ section: ProtocolDocument.Section, _ result: JSONValue) throws -> any WireValue {
    guard !section.fromHost else { return try SessionStartResult(result: result, of: .sessionStart) }
    let method = try #require(ExtensionMethod(rawValue: section.name))
    return switch method {
    case .cameraStart: try CameraStream(result: result, of: method)
    case .cameraSettings: try CameraSettingsResult(result: result, of: method)
    case .cameraSet: try CameraSettingResult(result: result, of: method)
    case .microphoneStart: try MicrophoneStream(result: result, of: method)
    case .capturePlaySound: try SoundResult(result: result, of: method)
    case .contextGet: try ContextResult(result: result, of: method)
    case .contextUpdate: try ContextUpdateResult(result: result, of: method)
    case .sessionInvalidateContent: try InvalidationResult(result: result, of: method)
    case .sessionBeginActivity: try ActivityResult(result: result, of: method)
    case .photosAuthorization: try PhotoAuthorizationResult(result: result, of: method)
    case .photosAdd: try PhotoAddResult(result: result, of: method)
    case .photosList: try PhotoListResult(result: result, of: method)
    case .photosOpen: try PhotoOpenResult(result: result, of: method)
    default: try EmptyResult(result: result, of: method)
    }
  }

  @Test func `the field tables list exactly the fields of the examples`() throws {
    for section in document.sections {
      let params = try #require(try JSONNode.parse(section.examples[0]).value["params"])
      let free: Set<String> = ["context", "ifContext", "appContext", "activity.userInfo"]
      #expect(section.fields == paths(params, "", free), "\(section.name)")
    }
  }

  private func paths(_ value: JSONValue, _ prefix: String, _ free: Set<String>) -> [String] {
    (value.members ?? []).flatMap { member in
      let path = prefix + member.name
      return [path] + (free.contains(path) ? [] : paths(member.value, path + ".", free))
    }
  }

  @Test func `reports a missing required field for every documented message`() throws {
    for section in document.sections {
      for field in section.fields where !section.optional.union(section.absenceSensitive).contains(field) {
        let message = removing("params.\(field)", from: try JSONNode.parse(section.examples[0]).value)
        let error = #expect(throws: ProtocolViolation.self, "\(section.name) \(field)") {
          _ =
            section.fromHost
            ? try HostMessage(line: message.bytes()).line : try ExtensionMessage(line: message.bytes()).line
        }
        #expect(error?.method == section.name)
        #expect(error?.code == .invalidParams)
        #expect(error?.description.contains("\"params.\(field)\" is missing; it must be") == true)
      }
    }
  }

  @Test func `decodes an absent optional field like null and applies the documented default`() throws {
    var seen = 0
    for section in document.sections {
      let example = try JSONNode.parse(section.examples[0]).value
      for field in section.optional {
        func read(_ message: JSONValue) throws -> [UInt8] {
          section.fromHost
            ? try HostMessage(line: message.bytes()).line : try ExtensionMessage(line: message.bytes()).line
        }
        let without = try read(removing("params.\(field)", from: example))
        let null = try read(removing("params.\(field)", from: example, leaving: .null))
        #expect(without == null, "\(section.name) \(field)")
        seen += 1
      }
    }
    #expect(seen == document.sections.map(\.optional.count).reduce(0, +) && seen > 10)
    let old = #"{"jsonrpc":"2.0","id":1,"method":"session/start","params":"# + Self.minimalSessionStart + "}"
    guard case .request(_, .sessionStart(let start)) = try HostMessage(line: Array(old.utf8)) else {
      Issue.record("the message of a host without the later fields should be read")
      return
    }
    #expect(start.permissions.photosAddOnly == .authorized)
    #expect(start.deadlines.watchdog == nil)
    #expect(start.scene == SceneState(phase: .active, orientation: .portrait))
    #expect(start.launch == .commandLine && start.directories.library == "/library" && !start.devices.preview)
    #expect(start.directories.assets == nil && start.devices.microphone == nil)
  }

  @Test func `distinguishes absent, null and present values of ifContext`() throws {
    let update = try #require(document.sections.first { $0.absenceSensitive == ["ifContext"] })
    let example = try JSONNode.parse(update.examples[0]).value
    let lines = try [
      example, removing("params.ifContext", from: example),
      removing("params.ifContext", from: example, leaving: .null),
    ].map { try ExtensionMessage(line: $0.bytes()).line }
    #expect(Set(lines).count == 3)
    #expect(document.sections.count { !$0.absenceSensitive.isEmpty } == 1)
  }

  /// The parameters of `session/start` from a host that knows only the first fields of the protocol.
  private static let minimalSessionStart =
    #"{"protocolVersions":[1],"sessionID":"a","app":"b","extension":"c","sessionDirectory":"/session","#
    + #""containerDirectory":"/container","extensionDirectory":"/extension","appContext":null,"#
    + #""lockState":"locked","permissions":{"camera":"authorized","microphone":"denied","photos":"limited"},"#
    + #""deadlines":{"launch":10,"dismissal":2.5},"camera":null}"#

  private func removing(_ path: String, from value: JSONValue, leaving rest: JSONValue? = nil) -> JSONValue {
    let left = rest
    let (first, rest) = (path.prefix { $0 != "." }, path.drop { $0 != "." }.dropFirst())
    return .object(
      (value.members ?? []).compactMap { member in
        if member.name != first { return member }
        guard !rest.isEmpty else { return left.map { JSONValue.Member(member.name, $0) } }
        return JSONValue.Member(member.name, removing(String(rest), from: member.value, leaving: left))
      }
    )
  }

  @Test func `documents the descriptors, variables, error codes and limits of the code`() {
    let rows = document.rows
    for name in InheritedDescriptor.allCases {
      #expect(rows.contains { $0[0] == name.rawValue && $0.count == 4 })
    }
    #expect(rows.filter { $0.count == 4 && ["pipe", "memory file", "eventfd"].contains($0[1]) }.count == 10)
    for name in DescriptorVariable.allCases { #expect(rows.contains { $0[0] == name.rawValue }) }
    let codes = rows.filter { Int($0[0]) != nil && $0.count == 3 }.map { [$0[0], $0[1]] }
    #expect(codes == ProtocolErrorCode.allCases.map { ["\($0.rawValue)", "\($0)"] })
    let limits = rows.filter { $0.count == 3 && Int($0[1]) != nil }.compactMap { Int($0[1]) }
    #expect(
      limits == [
        ProtocolLimits.lineBytes, ProtocolLimits.depth, ProtocolLimits.messagesPerSecond,
        ProtocolLimits.messageBurst, ProtocolLimits.lineSeconds, ProtocolLimits.contextBytes,
        ProtocolLimits.activityBytes, ProtocolLimits.assetsPerList, ProtocolLimits.cameraControls,
        ProtocolLimits.controlTextBytes, ProtocolLimits.controlChoices,
      ]
    )
  }

  @Test func `documents every case of every enumeration`() {
    let choices: [[String]] = [
      LockState.allCases.map(\.rawValue), PermissionStatus.allCases.map(\.rawValue),
      DismissalReason.allCases.map(\.rawValue), CaptureButton.allCases.map(\.rawValue),
      CapturePhase.allCases.map(\.rawValue), PointerPhase.allCases.map(\.rawValue),
      CaptureSource.allCases.map(\.rawValue), StandardSound.allCases.map(\.rawValue),
      FrameDelivery.allCases.map(\.rawValue),
      LogLevel.allCases.map(\.rawValue), FrameFormat.allCases.map(\.rawValue),
      SampleFormat.allCases.map(\.rawValue),
      MicrophoneEndNotice.Reason.allCases.map(\.rawValue),
      ScenePhase.allCases.map(\.rawValue), SceneOrientation.allCases.map(\.rawValue),
      LaunchSurface.allCases.map(\.rawValue), PhotoAccessLevel.allCases.map(\.rawValue),
      PhotoMediaType.allCases.map(\.rawValue), ControlsAppearance.allCases.map(\.rawValue),
    ]
    for choice in choices {
      #expect(
        document.rows.contains { $0.count == 3 && $0[1] == choice.joined(separator: ", ") },
        "\(choice)"
      )
    }
    let requirements = CaptureRequirement.allCases.map(\.rawValue).joined(separator: ", ")
    #expect(document.rows.contains { $0[1] == "array of \(requirements)" })
    for reason in AuthenticationFailure.allCases {
      #expect(document.rows.contains { $0[0] == "4011" && $0[2].contains(reason.rawValue) })
    }
  }

  @Test func `documents the ring offsets of the code`() {
    typealias Header = FrameRingLayout.Header
    typealias Slot = FrameRingLayout.Slot
    let fields = document.rows.filter { $0.count == 4 && Int($0[0]) != nil }.map { ($0[2], Int($0[0])) }
    let expected: [(String, Int)] = [
      ("magic", Header.magic), ("version", Header.version), ("headerBytes", Header.headerBytes),
      ("slots", Header.slots), ("slotStride", Header.slotStride), ("width", Header.width),
      ("height", Header.height), ("format", Header.format),
      ("frameRateNumerator", Header.frameRateNumerator),
      ("frameRateDenominator", Header.frameRateDenominator), ("planes", Header.planes),
      ("planeTable", Header.planeTable), ("rawFormat", Header.rawFormat), ("rawOffset", Header.rawOffset),
      ("rawStride", Header.rawStride), ("published", Header.published), ("sequence", Slot.sequence),
      ("timestamp", Slot.timestamp), ("published", Slot.published), ("pixels", Slot.pixels),
      ("held", Header.held), ("magic", RingLayout.Header.magic), ("version", RingLayout.Header.version),
      ("slotStride", RingLayout.Header.slotStride), ("sampleRate", SoundRingLayout.Header.sampleRate),
      ("channels", SoundRingLayout.Header.channels), ("format", SoundRingLayout.Header.format),
      ("blockFrames", SoundRingLayout.Header.blockFrames), ("position", SoundRingLayout.Slot.position),
      ("frames", SoundRingLayout.Slot.frames), ("samples", SoundRingLayout.Slot.samples),
    ]
    #expect(fields.map(\.0) == expected.map(\.0))
    #expect(fields.map(\.1) == expected.map(\.1))
  }
}
