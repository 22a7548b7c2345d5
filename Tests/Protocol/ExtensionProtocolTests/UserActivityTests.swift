// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import Testing

/// Parses a JSON text.
private func value(_ text: String) throws -> JSONValue { try JSONNode.parse(Array(text.utf8)).value }

@Suite struct UserActivityTests {
  static let activity = UserActivity(
    activityType: "org.example.edit",
    title: "Edit",
    userInfo: [
      "on": .bool(true), "count": .integer(-3), "zoom": .number(1.5), "name": .string("a \"b\""),
      "bytes": .data([0, 255, 7, 8]), "when": .date(1.25), "page": .url("https://example.org/"),
      "list": .array([.integer(1), .dictionary([:])]), "more": .dictionary(["x": .data([])]),
    ],
    targetContentIdentifier: "photo-1",
    webpageURL: "https://example.org/photo-1",
    requiredUserInfoKeys: ["name", "count"]
  )

  @Test func `decodes a user activity with every kind of value as encoded`() throws {
    let bytes = Self.activity.json.bytes()
    let again = try UserActivity(json: try JSONNode.parse(bytes).value)
    #expect(again == Self.activity)
    #expect(again.json.bytes() == bytes)
    let least = UserActivity(activityType: "x")
    #expect(least.json.text() == #"{"activityType":"x","userInfo":{},"requiredUserInfoKeys":[]}"#)
    #expect(try UserActivity(json: ["activityType": "x"]) == least)
  }

  @Test(
    arguments: [
      ([], ""), ([102], "Zg=="), ([102, 111], "Zm8="), ([102, 111, 111], "Zm9v"),
      ([102, 111, 111, 98, 97, 114], "Zm9vYmFy"), ([251, 255], "+/8="),
    ] as [([UInt8], String)]
  )
  func `encodes and decodes data as RFC 4648 base64`(bytes: [UInt8], text: String) throws {
    #expect(PropertyListValue.data(bytes).json == ["$data": .string(text)])
    let read = try UserActivity(json: ["activityType": "x", "userInfo": ["d": ["$data": .string(text)]]])
    #expect(read.userInfo["d"] == .data(bytes))
  }

  @Test(arguments: [
    (#"{}"#, "the field \"activity.activityType\" is missing; it must be a nonempty string"),
    (
      #"{"activityType":""}"#,
      "the field \"activity.activityType\" is \"\"; it must be a nonempty string"
    ),
    (
      #"{"activityType":"x","userInfo":[]}"#,
      "the field \"activity.userInfo\" is an array; it must be an object"
    ),
    (
      #"{"activityType":"x","userInfo":{"a":[1,null]}}"#,
      "the field \"activity.userInfo.a[1]\" is null; it must be a value of a property list, but not null"
    ),
    (
      #"{"activityType":"x","userInfo":{"a":{"$data":"Zg="}}}"#,
      "the field \"activity.userInfo.a.$data\" is \"Zg=\"; it must be a base64 string (RFC 4648)"
    ),
    (
      #"{"activityType":"x","userInfo":{"a":{"$data":"Zh=="}}}"#,
      "the field \"activity.userInfo.a.$data\" is \"Zh==\"; it must be a base64 string (RFC 4648)"
    ),
    (
      #"{"activityType":"x","userInfo":{"a":{"$date":"now"}}}"#,
      "the field \"activity.userInfo.a.$date\" is \"now\"; it must be a number of seconds since 1970"
    ),
    (
      #"{"activityType":"x","userInfo":{"$url":"x"}}"#,
      "the field \"activity.userInfo\" is an object with \"$url\"; it must be a name that does not begin with "
        + "a dollar sign, or a single member $data, $date or $url"
    ),
    (
      #"{"activityType":"x","userInfo":{"a":{"$date":1,"b":2}}}"#,
      "the field \"activity.userInfo.a\" is an object with \"$date\"; it must be a name that does not begin with "
        + "a dollar sign, or a single member $data, $date or $url"
    ),
    (
      #"{"activityType":"x","requiredUserInfoKeys":["a",1]}"#,
      "the field \"activity.requiredUserInfoKeys\" is an array; it must be an array of strings"
    ),
    ("7", "the field \"activity\" is 7; it must be an object"),
  ])
  func `reports the field and the expected value of a malformed user activity`(text: String, sentence: String)
    throws
  {
    let json = try value(text)
    let error = #expect(throws: ProtocolViolation.self) { try UserActivity(json: json) }
    #expect(error?.description == sentence)
  }

  @Test func `accepts a user activity at the size limit and rejects one byte more`() throws {
    var activity = UserActivity(activityType: "x", userInfo: ["a": .string("")])
    let empty = activity.json.bytes().count
    activity.userInfo["a"] = .string(String(repeating: "a", count: ProtocolLimits.activityBytes - empty))
    try activity.requireSize()
    activity.title = ""
    let error = #expect(throws: UserActivityError.self) { try activity.requireSize() }
    #expect(error == .tooLarge(bytes: ProtocolLimits.activityBytes + #","title":"""#.utf8.count))
    #expect(error?.errorObject.data?["limit"]?.integer == Int64(ProtocolLimits.activityBytes))
  }

  @Test func `decodes a delivery as encoded and orders file names by creation time`() throws {
    let id = "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11"
    var delivery = AppDelivery(
      id: id,
      reason: .captureExtension,
      activity: Self.activity,
      control: nil,
      session: "6b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11",
      appContext: ["mode": "photo"],
      createdAt: 1_750_000_000_000
    )
    #expect(try AppDelivery(json: try JSONNode.parse(delivery.json.bytes()).value) == delivery)
    #expect(delivery.fileName == "001750000000000-\(id).json")
    delivery.activity = nil
    delivery.control = "shutter"
    delivery.createdAt = 0
    #expect(try AppDelivery(json: delivery.json) == delivery)
    #expect(delivery.fileName < "001750000000000")
  }

  @Test(
    arguments: [
      ("version", 2, "is 2; it must be an integer, 1 to 1"),
      ("id", "../../5b0f3b0e-6a0c-4f0b-9c53-0c0e8b", "must be a lower-case UUID"),
      ("id", "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11", "must be a lower-case UUID"),
      ("reason", "other", "must be one of \"captureExtension\", \"control\", \"permission\""),
      ("createdAt", -1, "must be an integer, 0 to 999999999999999"),
      ("activity", .object([JSONValue.Member]()), "\"delivery.activity.activityType\" is missing"),
    ] as [(String, JSONValue, String)]
  )
  func `reports the field of a malformed delivery`(field: String, wrong: JSONValue, sentence: String) throws {
    let good = AppDelivery(id: "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11", reason: .control, createdAt: 1)
    let members = (good.json.members ?? []).map { $0.name == field ? .init(field, wrong) : $0 }
    let error = #expect(throws: ProtocolViolation.self) { try AppDelivery(json: .object(members)) }
    #expect(error?.description.contains("\"delivery.\(field)") == true)
    #expect(error?.description.contains(sentence) == true)
  }
}
