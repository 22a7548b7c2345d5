// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A reason why a text is not a user activity.
package enum ActivityTextError: Error, CustomStringConvertible {
  /// The text is not JSON.
  case syntax(JSONSyntaxError)
  /// A field is missing or invalid.
  case field(ProtocolViolation)
  /// The activity is too large.
  case size(UserActivityError)

  /// The reason and the position.
  package var description: String {
    switch self {
    case .syntax(let error): "\(error)"
    case .field(let error): "\(error)"
    case .size(let error): "\(error)"
    }
  }
}

extension UserActivity {
  private static let limits = JSONLimits(bytes: 1 << 20, depth: 48)

  /// Creates an activity from the text of a JSON object with at least `activityType`.
  package init(text: String) throws(ActivityTextError) {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONNode.parse(Array(text.utf8), limits: Self.limits).value
    } catch {
      throw .syntax(error)
    }
    do throws(ProtocolViolation) { self = try UserActivity(json: value) } catch { throw .field(error) }
    do throws(UserActivityError) { try requireSize() } catch { throw .size(error) }
  }
}
