// SPDX-License-Identifier: Apache-2.0

@testable import ExtensionProtocol
@testable import JSONText

/// The types of the floor Protocol that produce messages.
enum ProtocolMessages {
  static var types: [any MessageSamples.Type] {
    [
      JSONSyntaxError.Reason.self, ProtocolViolation.Reason.self, ErrorObject.self, VersionMismatch.self,
      FrameRingLayoutError.self, SoundRingLayoutError.self, CameraControlError.Reason.self,
      UserActivityError.self, ActivityTextError.self,
    ]
  }

  static let position = TextPosition(line: 3, column: 14)
}

extension JSONSyntaxError.Reason: CaseSamples {
  static var catalogedErrors: [Any.Type] { [JSONSyntaxError.self] }

  static var catalogSamples: [(String, Self)] {
    [
      ("tooLarge", .tooLarge(limit: 65536)), ("tooDeep", .tooDeep(limit: 64)),
      ("unexpectedEnd", .unexpectedEnd),
      ("expected", .expected(.value)), ("expected", .expected(.name)), ("expected", .expected(.colon)),
      ("expected", .expected(.commaOrBracket)), ("expected", .expected(.commaOrBrace)),
      ("trailingText", .trailingText), ("duplicateName", .duplicateName("camera")),
      ("invalidUTF8", .invalidUTF8),
      ("controlCharacter", .controlCharacter(7)), ("invalidEscape", .invalidEscape),
      ("loneSurrogate", .loneSurrogate), ("invalidNumber", .invalidNumber),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .tooLarge, .tooDeep, .unexpectedEnd, .expected, .trailingText, .duplicateName, .invalidUTF8,
      .controlCharacter, .invalidEscape, .loneSurrogate, .invalidNumber:
      true
    }
  }

  var catalogText: String { JSONSyntaxError(reason: self, position: ProtocolMessages.position).description }
}

extension ProtocolViolation.Reason: CaseSamples {
  static var catalogedErrors: [Any.Type] { [ProtocolViolation.self] }

  static var catalogSamples: [(String, Self)] {
    [
      ("lineTooLong", .lineTooLong(limit: 65536)), ("lineTooSlow", .lineTooSlow(seconds: 10)),
      ("tooManyMessages", .tooManyMessages(perSecond: 1000)),
      ("notJSON", .notJSON(JSONSyntaxError(reason: .invalidEscape, position: ProtocolMessages.position))),
      ("batch", .batch), ("unfinishedLine", .unfinishedLine),
      ("missing", .missing(field: "params.url", expected: "a string")),
      ("wrong", .wrong(field: "params.url", expected: "a string", found: "a number")),
      ("requestWithoutID", .requestWithoutID), ("idOnNotification", .idOnNotification),
      ("unexpectedReply", .unexpectedReply), ("notReading", .notReading),
      ("outOfOrder", .outOfOrder(expected: "hello")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .lineTooLong, .lineTooSlow, .tooManyMessages, .notJSON, .batch, .unfinishedLine, .missing, .wrong,
      .requestWithoutID, .idOnNotification, .unexpectedReply, .notReading, .outOfOrder:
      true
    }
  }

  var catalogText: String { ProtocolViolation(method: "openApplication", self).description }
}

extension ErrorObject: MessageSamples {
  static var catalogSamples: [(String, ErrorObject)] {
    [
      ("", .contextTooLarge(bytes: 5000)), ("", .contextChanged(present: ["filter": "mono"])),
      ("", .unsupportedVersion(VersionMismatch(offered: [7], supported: [1]))),
    ]
  }

  var catalogText: String { description }
}

extension VersionMismatch: MessageSamples {
  static var catalogSamples: [(String, VersionMismatch)] {
    [
      ("", VersionMismatch(offered: [7], supported: [1])),
      ("", VersionMismatch(offered: [0], supported: [1, 2])),
      ("", VersionMismatch(offered: [], supported: [1])),
    ]
  }
}

extension FrameRingLayoutError: CaseSamples {
  static var catalogSamples: [(String, FrameRingLayoutError)] {
    [
      ("tooShort", .tooShort(bytes: 100, needed: 4096)),
      ("field", .field(name: "width", value: 0, expected: "1 to 8192")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .tooShort, .field: true
    }
  }
}

extension SoundRingLayoutError: CaseSamples {
  static var catalogSamples: [(String, SoundRingLayoutError)] {
    [
      ("tooShort", .tooShort(bytes: 100, needed: 4096)),
      ("field", .field(name: "rate", value: 7, expected: "8000 to 192000")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .tooShort, .field: true
    }
  }
}

extension CameraControlError.Reason: CaseSamples {
  static var catalogedErrors: [Any.Type] { [CameraControlError.self] }

  static var catalogSamples: [(String, Self)] {
    [
      ("tooMany", .tooMany(12, most: 8)), ("id", .id), ("duplicateID", .duplicateID(as: 0)),
      ("empty", .empty("title")), ("tooLong", .tooLong("title", bytes: 300)),
      ("unprintable", .unprintable("title")),
      ("range", .range(4, 1)), ("step", .step(-0.5)), ("values", .values), ("count", .count("values", 0)),
      ("prominent", .prominent(7)), ("format", .format), ("value", .value(9)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .tooMany, .id, .duplicateID, .empty, .tooLong, .unprintable, .range, .step, .values, .count,
      .prominent,
      .format, .value:
      true
    }
  }

  var catalogText: String { CameraControlError(self, index: 2).description }
}

extension UserActivityError: CaseSamples {
  static var catalogSamples: [(String, UserActivityError)] { [("tooLarge", .tooLarge(bytes: 70_000))] }

  var isInCatalog: Bool {
    switch self {
    case .tooLarge: true
    }
  }
}

extension ActivityTextError: CaseSamples {
  static var catalogSamples: [(String, ActivityTextError)] {
    let position = ProtocolMessages.position
    return [
      ("syntax", .syntax(JSONSyntaxError(reason: .unexpectedEnd, position: position))),
      ("field", .field(ProtocolViolation(.missing(field: "activityType", expected: "a nonempty string")))),
      ("size", .size(.tooLarge(bytes: 70_000))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .syntax, .field, .size: true
    }
  }
}
