// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import Synchronization

// Apple's name, which is C's.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The activity type that tells an app that its capture extension has opened it.
///
/// It is a convention only: a session's `openApplication(for:)` takes an activity of any type.
public let NSUserActivityTypeLockedCameraCapture = "org.darkroom.LockedCameraCapture"

/// What a person was about to do, as one process tells another.
///
/// A class of the names and shapes of Foundation's, which Foundation for Linux lacks. All members may be used in any
/// thread; what they hold is looked at only when the activity is sent, as it is then. What can be sent is said at
/// ``userInfo``, and how much at ``UserActivityError/tooLarge(bytes:limit:)``.
open class NSUserActivity: @unchecked Sendable {
  // Unchecked, because subclasses are possible; everything that this class itself keeps is in the mutex.

  /// What kind of activity it is, usually a reverse-DNS name or ``NSUserActivityTypeLockedCameraCapture``.
  public let activityType: String
  private let state: Mutex<Box>

  /// Makes an empty activity of a type.
  public init(activityType: String) {
    self.activityType = activityType
    state = Mutex(Box(State()))
  }

  /// A title for people.
  open var title: String? {
    get { state.withLock { $0.state.title } }
    set { state.withLock { $0.state.title = newValue } }
  }

  /// What the receiver needs to go on.
  ///
  /// Keys are strings; values are those of property lists: truth values, integers of at most 64 bits with sign, finite
  /// floating-point numbers, strings, `Data`, `Date`, `URL`, and arrays and dictionaries of them. Anything else is
  /// refused with ``UserActivityError`` when the activity is sent, not when it is set. The receiver finds every integer
  /// as `Int` and every floating-point number as `Double`.
  open var userInfo: [AnyHashable: Any]? {
    get { Self.taken(state.withLock { Unchecked($0.state.userInfo) }) }
    set {
      let value = Unchecked(newValue)
      state.withLock { $0.state.userInfo = value.value }
    }
  }

  /// Adds to ``userInfo``; a key that is there already gets the new value.
  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    let other = Unchecked(otherDictionary)
    state.withLock { box in
      box.state.userInfo = (box.state.userInfo ?? [:]).merging(other.value) { _, new in new }
    }
  }

  /// What in the receiver the activity is about, for apps that can show several things.
  open var targetContentIdentifier: String? {
    get { state.withLock { $0.state.targetContentIdentifier } }
    set { state.withLock { $0.state.targetContentIdentifier = newValue } }
  }

  /// A page that shows the same, for who has no app for it.
  open var webpageURL: URL? {
    get { state.withLock { $0.state.webpageURL } }
    set { state.withLock { $0.state.webpageURL = newValue } }
  }

  /// The keys of ``userInfo`` that the receiver cannot do without; sent along, and enforced by nobody.
  open var requiredUserInfoKeys: Set<String>? {
    get { state.withLock { $0.state.requiredUserInfoKeys } }
    set { state.withLock { $0.state.requiredUserInfoKeys = newValue } }
  }

  private static func taken(_ value: Unchecked<[AnyHashable: Any]?>) -> [AnyHashable: Any]? { value.value }

  /// What an activity holds.
  private struct State {
    var title: String?
    var userInfo: [AnyHashable: Any]?
    var targetContentIdentifier: String?
    var webpageURL: URL?
    var requiredUserInfoKeys: Set<String>?
  }

  /// The state on its way into and out of the mutex.
  ///
  /// Unchecked, because a property list's values are values, and whoever puts a live object among them is refused when
  /// the activity is sent.
  private struct Box: @unchecked Sendable {
    var state: State

    init(_ state: State) { self.state = state }
  }

  /// A value on its way through the mutex; see ``Box``.
  private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }
}
