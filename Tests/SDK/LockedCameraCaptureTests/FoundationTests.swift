// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import LockedCameraCapture
import Testing

/// The library in a program that imports all of Foundation.
@Suite struct FoundationTests {
  @Test(
    arguments: [
      (
        UserActivityError.tooDeep(path: "x", limit: 3),
        "x is nested more than 3 levels deep; send a flatter structure"
      ),
      (
        LockedCameraCaptureSession.ApplicationLaunchError.unknown,
        "The app was not opened. The system could not open the app."
      ),
    ] as [(any Error, String)]
  )
  func `returns the sentence of each error from the localized description of Foundation`(
    error: any Error,
    sentence: String
  ) {
    #expect(error.localizedDescription == sentence)
    #expect((error as NSError).localizedDescription == sentence)
  }

  @Test func `returns the reason of an error as Foundation's failure reason`() {
    let error = LockedCameraCaptureSession.ApplicationLaunchError.authenticationFailed as NSError
    #expect(error.localizedFailureReason == "The machine is locked and was not unlocked.")
    #expect(error.domain == "LockedCameraCapture.ApplicationLaunchError" && error.code == 2)
  }

  /// Returns the user info that the receiver of an activity gets, as JSON text.
  private func sent(_ userInfo: [AnyHashable: Any]) throws -> String? {
    let activity = NSUserActivity(activityType: "org.example.edit")
    activity.userInfo = userInfo
    return try activity.json()["userInfo"]?.text()
  }

  @Test func `sends a number object as the value of its type`() throws {
    for (number, text) in [
      (NSNumber(value: 7), "7"), (NSNumber(value: 1), "1"), (NSNumber(value: -3), "-3"),
      (NSNumber(value: true), "true"), (NSNumber(value: false), "false"), (NSNumber(value: 1.5), "1.5"),
      (NSNumber(value: Int64.max), "9223372036854775807"),
    ] {
      #expect(try sent(["x": number]) == #"{"x":\#(text)}"#)
    }
  }

  @Test func `receives a whole floating-point number object as a floating-point number`() throws {
    let activity = NSUserActivity(activityType: "org.example.edit")
    activity.userInfo = ["whole": NSNumber(value: 2.0), "large": NSNumber(value: 1e16)]
    let received = try NSUserActivity(json: try JSONNode.parse(activity.json().bytes()).value)
    #expect(received.userInfo?["whole"] as? Double == 2 && received.userInfo?["whole"] as? Int == nil)
    #expect(received.userInfo?["large"] as? Double == 1e16)
  }

  @Test func `sends the other objects of property lists as the equal Swift values`() throws {
    let list = NSArray(array: [NSString("a"), NSNumber(value: 2), NSDictionary(dictionary: ["b": true])])
    #expect(try sent(["x": list]) == #"{"x":["a",2,{"b":true}]}"#)
    let date = NSDate(timeIntervalSince1970: 12.25)
    #expect(try sent(["x": date]) == #"{"x":{"$date":12.25}}"#)
  }

  @Test func `rejects numbers and objects without a counterpart, with their path`() {
    #expect(throws: UserActivityError.unsupportedNumber(path: "userInfo.x")) {
      try sent(["x": NSNumber(value: UInt64.max)])
    }
    #expect(throws: UserActivityError.unsupportedNumber(path: "userInfo.x")) {
      try sent(["x": NSNumber(value: Double.infinity)])
    }
    #expect(throws: UserActivityError.unsupportedValue(path: "userInfo.x", type: "NSNull")) {
      try sent(["x": NSNull()])
    }
  }
}
