// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSONText
import LockedCameraCapture
import Testing

@Suite struct UserActivityTests {
  private static func sample() -> NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
    activity.title = "Edit"
    activity.targetContentIdentifier = "editor"
    activity.webpageURL = URL(string: "https://example.org/edit?a=1")
    activity.requiredUserInfoKeys = ["count", "at"]
    activity.userInfo = [
      "count": 3, "small": UInt8(7), "ratio": 1.5, "whole": 2.0, "on": true, "text": "\u{1F4F7} \"x\"\n",
      "bytes": Data([0, 255, 10]), "at": Date(timeIntervalSince1970: 12.25),
      "page": URL(filePath: "/a b/c"), "list": [1, "two", [3.5]] as [Any],
    ]
    activity.addUserInfoEntries(from: ["count": 4, "deep": ["inner": ["x": false]]])
    return activity
  }

  @Test func `restores an activity from its JSON text`() throws {
    let sent = try Self.sample().json()
    // Activities are sent as text.
    let text = try JSONNode.parse(sent.bytes(), limits: .document).value
    let activity = try NSUserActivity(json: text)
    #expect(activity.activityType == NSUserActivityTypeLockedCameraCapture)
    #expect(activity.title == "Edit")
    #expect(activity.targetContentIdentifier == "editor")
    #expect(activity.webpageURL == URL(string: "https://example.org/edit?a=1"))
    #expect(activity.requiredUserInfoKeys == ["count", "at"])
    let info = try #require(activity.userInfo)
    #expect(info.count == 11)
    #expect(info["count"] as? Int == 4)
    #expect(info["small"] as? Int == 7)
    #expect(info["ratio"] as? Double == 1.5)
    #expect(info["whole"] as? Double == 2)
    #expect(info["on"] as? Bool == true)
    #expect(info["text"] as? String == "\u{1F4F7} \"x\"\n")
    #expect(info["bytes"] as? Data == Data([0, 255, 10]))
    #expect(info["at"] as? Date == Date(timeIntervalSince1970: 12.25))
    #expect(info["page"] as? URL == URL(filePath: "/a b/c"))
    let list = try #require(info["list"] as? [Any])
    #expect(list[0] as? Int == 1)
    #expect(list[1] as? String == "two")
    #expect((list[2] as? [Any])?.first as? Double == 3.5)
    let deep = try #require(info["deep"] as? [AnyHashable: Any])
    #expect((deep["inner"] as? [AnyHashable: Any])?["x"] as? Bool == false)
    #expect(try activity.json() == sent)
  }

  @Test func `writes an activity with the members that the protocol specifies`() throws {
    let activity = NSUserActivity(activityType: "org.example.edit")
    activity.userInfo = ["b": Data([1]), "a": 1]
    #expect(
      try activity.json().text()
        == #"{"activityType":"org.example.edit","userInfo":{"a":1,"b":{"$data":"AQ=="}},"requiredUserInfoKeys":[]}"#
    )
  }

  @Test func `accepts an activity of the largest size, and rejects one byte more with both sizes`() throws {
    let activity = NSUserActivity(activityType: "a")
    activity.userInfo = ["x": ""]
    let room = NSUserActivity.maximumSize - (try activity.json().bytes().count)
    activity.userInfo = ["x": String(repeating: "y", count: room)]
    #expect(try activity.json().bytes().count == 32768)
    activity.userInfo = ["x": String(repeating: "y", count: room + 1)]
    #expect(throws: UserActivityError.tooLarge(bytes: 32769, limit: 32768)) { try activity.json() }
  }

  /// An object that a property list cannot contain.
  private final class LiveObject {}

  @Test func `rejects values that are not property lists, with their path`() throws {
    let activity = NSUserActivity(activityType: "a")
    activity.userInfo = ["list": [1, LiveObject()] as [Any]]
    #expect(throws: UserActivityError.unsupportedValue(path: "userInfo.list[1]", type: "LiveObject")) {
      try activity.json()
    }
    activity.userInfo = ["x": UInt64.max]
    #expect(throws: UserActivityError.unsupportedNumber(path: "userInfo.x")) { try activity.json() }
    activity.userInfo = ["x": Double.infinity]
    #expect(throws: UserActivityError.unsupportedNumber(path: "userInfo.x")) { try activity.json() }
    activity.userInfo = [7: "x"]
    #expect(throws: UserActivityError.unsupportedKey(path: "userInfo", key: "7")) { try activity.json() }
    activity.userInfo = ["a": ["$data": "not marked by us"]]
    #expect(throws: UserActivityError.unsupportedKey(path: "userInfo.a", key: "$data")) {
      try activity.json()
    }
    var nested: [Any] = []
    for _ in 0..<20 { nested = [nested] }
    activity.userInfo = ["x": nested]
    let error = #expect(throws: UserActivityError.self) { try activity.json() }
    guard case .tooDeep(_, limit: 16)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #"{"activityType":1}"#, #"{"activityType":"a","title":3}"#,
    #"{"activityType":"a","userInfo":[1]}"#, #"{"activityType":"a","userInfo":{"x":null}}"#,
    #"{"activityType":"a","userInfo":{"x":{"$data":"!"}}}"#,
    #"{"activityType":"a","userInfo":{"x":{"$date":"y"}}}"#,
    #"{"activityType":"a","userInfo":{"x":{"$what":"y"}}}"#,
    #"{"activityType":"a","requiredUserInfoKeys":[1]}"#,
  ])
  func `rejects JSON that is not an activity`(text: String) throws {
    let value = try JSONNode.parse(Array(text.utf8), limits: .document).value
    #expect(throws: UserActivityError.self) { try NSUserActivity(json: value) }
  }
}
