// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import Synchronization

// Apple's name, which follows the conventions of C.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The activity type with which a capture extension opens its app.
///
/// It is only a convention: `openApplication(for:)` of a session accepts activities of any type.
public let NSUserActivityTypeLockedCameraCapture = "org.darkroom.LockedCameraCapture"

/// A user activity that one process sends to another.
///
/// A class with the names and signatures of Foundation's, which Foundation for Linux lacks. All members may
/// be used on any thread. The values are checked when the activity is sent; see ``userInfo`` for the
/// supported types and ``UserActivityError/tooLarge(bytes:limit:)`` for the size limit.
open class NSUserActivity: @unchecked Sendable {
  // `@unchecked Sendable`, because the class is open; all its own state is in the mutex.

  /// The type of the activity, usually a reverse-DNS name or ``NSUserActivityTypeLockedCameraCapture``.
  public let activityType: String
  private let state: Mutex<Box>

  /// Creates an empty activity of a type.
  public init(activityType: String) {
    self.activityType = activityType
    state = Mutex(Box(State()))
  }

  /// A title to show to the user.
  open var title: String? {
    get { state.withLock { $0.state.title } }
    set { state.withLock { $0.state.title = newValue } }
  }

  /// The data that the receiver needs to continue the activity.
  ///
  /// Keys are strings. Values are those of property lists: Booleans, signed integers of at most 64 bits,
  /// finite floating-point numbers, strings, `Data`, `Date`, `URL`, and arrays and dictionaries of them. The
  /// classes of all of Foundation, such as `NSNumber` and `NSArray`, are accepted as the equal Swift values.
  /// Other values are rejected with ``UserActivityError`` when the activity is sent, not when they are set.
  /// The receiver gets every integer as `Int` and every floating-point number as `Double`.
  open var userInfo: [AnyHashable: Any]? {
    get { Self.unwrapped(state.withLock { Unchecked($0.state.userInfo) }) }
    set {
      let value = Unchecked(newValue)
      state.withLock { $0.state.userInfo = value.value }
    }
  }

  /// Adds entries to ``userInfo``; the new value replaces the value of an existing key.
  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    let other = Unchecked(otherDictionary)
    state.withLock { box in
      box.state.userInfo = (box.state.userInfo ?? [:]).merging(other.value) { _, new in new }
    }
  }

  /// The content in the receiving app that the activity refers to, for apps that can show different content.
  open var targetContentIdentifier: String? {
    get { state.withLock { $0.state.targetContentIdentifier } }
    set { state.withLock { $0.state.targetContentIdentifier = newValue } }
  }

  /// A web page with the same content, for users without the app.
  open var webpageURL: URL? {
    get { state.withLock { $0.state.webpageURL } }
    set { state.withLock { $0.state.webpageURL = newValue } }
  }

  /// The keys of ``userInfo`` that the receiver requires. They are sent but not enforced.
  open var requiredUserInfoKeys: Set<String>? {
    get { state.withLock { $0.state.requiredUserInfoKeys } }
    set { state.withLock { $0.state.requiredUserInfoKeys = newValue } }
  }

  private static func unwrapped(_ value: Unchecked<[AnyHashable: Any]?>) -> [AnyHashable: Any]? {
    value.value
  }

  /// The properties of an activity.
  private struct State {
    var title: String?
    var userInfo: [AnyHashable: Any]?
    var targetContentIdentifier: String?
    var webpageURL: URL?
    var requiredUserInfoKeys: Set<String>?
  }

  /// A wrapper that moves the state into and out of the mutex.
  ///
  /// `@unchecked Sendable`, because the values of a property list are value types; an activity with other
  /// objects is rejected when it is sent.
  private struct Box: @unchecked Sendable {
    var state: State

    init(_ state: State) { self.state = state }
  }

  /// A wrapper that moves a value through the mutex; see ``Box``.
  private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
