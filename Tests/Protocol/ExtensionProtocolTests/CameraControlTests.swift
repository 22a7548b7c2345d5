// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import Testing

@Suite struct CameraControlTests {
  /// Returns a slider control with the given positions.
  private static func slider(
    _ places: SliderScale.Domain,
    value: Double,
    prominent: [Double] = [],
    format: String? = nil
  ) -> CameraControl {
    let scale = SliderScale(places, prominent: prominent, format: format)
    return CameraControl(id: "zoom", title: "Zoom", symbol: "", .slider(scale), value: value)
  }

  /// Returns a picker control with the given titles.
  private static func picker(
    _ titles: [String],
    id: String = "filter",
    title: String = "Filter",
    value: Double = 0
  ) -> CameraControl {
    CameraControl(id: id, title: title, symbol: "camera.filters", .picker(titles: titles), value: value)
  }

  private static let range = SliderScale.Domain.range(lower: 1, upper: 5, step: nil)

  @Test(arguments: [
    slider(range, value: 5, prominent: [1, 2.5], format: "%@ mm"),
    slider(.range(lower: -1, upper: 1, step: 2), value: -1),
    slider(.values([0.5, 1, 2]), value: 0.5),
    slider(.range(lower: -3e38, upper: 3e38, step: 1e-45), value: 0),
    picker(["None"]),
    // An emoji sequence of several scalars, and a word in a script that requires a joiner.
    picker(["👩\u{200D}🎨", "می\u{200C}خواهم"], id: "A-z_0.9", value: 1),
    picker([String](repeating: String(repeating: "x", count: 128), count: 256), value: 255),
  ])
  func `accepts valid camera controls and decodes them as encoded`(control: CameraControl) throws {
    try CameraControl.validate([control], most: 1)
    let declaration = CameraControlDeclaration(revision: 3, [control])
    let message = ExtensionMessage.request(id: .integer(1), .controlsDeclare(declaration))
    #expect(try ExtensionMessage(line: message.line.dropLast()) == message)
  }

  @Test(arguments: [
    (slider(.range(lower: 5, upper: 1, step: nil), value: 3), CameraControlError.Reason.range(5, 1)),
    (slider(.range(lower: 1, upper: 1, step: nil), value: 1), .range(1, 1)),
    (slider(.range(lower: 0, upper: 1e39, step: nil), value: 1), .range(0, 1e39)),
    (slider(.range(lower: 0, upper: .infinity, step: nil), value: 1), .range(0, .infinity)),
    (slider(.range(lower: 0, upper: 1, step: 0), value: 1), .step(0)),
    (slider(.range(lower: 0, upper: 1, step: -1), value: 1), .step(-1)),
    (slider(.range(lower: 0, upper: 1, step: 1.5), value: 1), .step(1.5)),
    // A step so small that adding it would not change a value.
    (slider(.range(lower: 0, upper: 1, step: 1e-300), value: 1), .step(1e-300)),
    (slider(.values([]), value: 1), .count("values", 0)),
    (slider(.values([2, 1]), value: 1), .values),
    (slider(.values([1, 1]), value: 1), .values),
    (slider(.values((0...256).map(Double.init)), value: 1), .count("values", 257)),
    (slider(range, value: 5.5), .value(5.5)),
    (slider(.values([1, 3]), value: 2), .value(2)),
    (slider(range, value: 1, prominent: [9]), .prominent(9)),
    (slider(range, value: 1, format: "mm"), .format),
    (slider(range, value: 1, format: "%@ and %@"), .format),
    (slider(range, value: 1, format: "%s %@"), .format),
    (slider(range, value: 1, format: "\u{1B}[2J%@"), .unprintable("format")),
    (picker([]), .count("titles", 0)),
    (picker(["a"], value: 1), .value(1)),
    (picker(["a", "b"], value: 0.5), .value(0.5)),
    (picker(["a", "b\u{1B}]0;owned\u{07}"]), .unprintable("title of a choice")),
    (picker(["a"], title: "Zo\nom"), .unprintable("title")),
    // U+202E would display the control's ID, which precedes the title, in reverse order.
    (picker(["a"], title: "\u{202E}mooZ"), .unprintable("title")),
    (picker(["a"], title: "\u{9B}2J"), .unprintable("title")),
    (picker(["a"], title: ""), .empty("title")),
    (picker(["a"], title: String(repeating: "é", count: 65)), .tooLong("title", bytes: 130)),
    (picker(["a"], id: ""), .id), (picker(["a"], id: "two words"), .id),
    (picker(["a"], id: String(repeating: "i", count: 65)), .id),
  ])
  func `rejects an invalid camera control with its reason`(
    control: CameraControl,
    reason: CameraControlError.Reason
  ) {
    #expect(throws: CameraControlError(reason, index: 0)) {
      try CameraControl.validate([control], most: 4)
    }
    // The reason is shown to users and must not contain control characters of the rejected text.
    let sentence = CameraControlError(reason, index: 0).description
    #expect(sentence.hasPrefix("control 0: "))
    #expect(sentence.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test func `rejects NaN as a value, bound or step of a camera control`() {
    #expect(!Self.picker(["a"]).allows(.nan))
    #expect(throws: CameraControlError.self) { try Self.slider(Self.range, value: .nan).validate() }
    #expect(throws: CameraControlError.self) {
      try Self.slider(.range(lower: .nan, upper: 1, step: nil), value: 1).validate()
    }
    #expect(throws: CameraControlError.self) {
      try Self.slider(.range(lower: 0, upper: 1, step: .nan), value: 1).validate()
    }
    #expect(throws: CameraControlError.self) { try Self.slider(.values([.nan]), value: .nan).validate() }
  }

  @Test func `rejects more controls than the limit and duplicate control IDs`() throws {
    let many = (0..<5).map { Self.picker(["a"], id: "c\($0)") }
    try CameraControl.validate(Array(many.prefix(4)), most: 4)
    #expect(throws: CameraControlError(.tooMany(5, most: 4))) { try CameraControl.validate(many, most: 4) }
    #expect(throws: CameraControlError(.duplicateID(as: 1), index: 2)) {
      try CameraControl.validate([many[0], many[1], many[1]], most: 4)
    }
  }

  @Test(arguments: [
    (
      #"{"kind":"dial"}"#,
      "\"params.controls[0].kind\" is \"dial\"; it must be one of \"slider\", \"picker\""
    ),
    (#"{"kind":"slider"}"#, "\"params.controls[0].range\" is missing; it must be an array of numbers"),
    (
      #"{"kind":"slider","range":[1]}"#,
      "\"params.controls[0].range\" is an array of 1; it must be an array of two numbers"
    ),
    (
      #"{"kind":"slider","range":[1,"2"]}"#,
      "\"params.controls[0].range\" is an array; it must be an array of numbers"
    ),
    (#"{"kind":"picker"}"#, "\"params.controls[0].titles\" is missing; it must be an array of strings"),
  ])
  func `reports the field of a camera control that cannot be decoded`(members: String, sentence: String) {
    let common = #"{"id":"a","title":"A","symbol":"","value":1,"#
    let control = common + members.dropFirst()
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"controls/declare","params":{"revision":1,"controls":[\#(control)]}}"#
    let error = #expect(throws: ProtocolViolation.self) { try ExtensionMessage(line: Array(line.utf8)) }
    #expect(error?.description == "controls/declare: the field \(sentence)")
  }

  @Test func `rejects a number that is too large for a double as a parse error`() {
    let line =
      #"{"jsonrpc":"2.0","method":"controls/changed","params":{"revision":1,"control":"a","value":1e999}}"#
    let error = #expect(throws: ProtocolViolation.self) { try HostMessage(line: Array(line.utf8)) }
    #expect(error?.code == .parseError)
  }
}
