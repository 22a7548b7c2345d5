// SPDX-License-Identifier: Apache-2.0

/// The codes of errors that answer requests: JSON-RPC 2.0's own, and those of this protocol.
package enum ProtocolErrorCode: Int, CaseIterable, Sendable {
  /// The line is not JSON.
  case parseError = -32700
  /// The line is JSON, but no message.
  case invalidRequest = -32600
  /// There is no such method in the version agreed on.
  case methodNotFound = -32601
  /// A parameter is missing or wrong.
  case invalidParams = -32602
  /// The host failed; the message says at what.
  case internalError = -32603
  /// The app context is larger than it may be; the stored one is unchanged.
  case contextTooLarge = 4001
  /// The session has no camera, or the camera has failed.
  case cameraUnavailable = 4002
  /// The app or the person has not allowed it.
  case permissionDenied = 4003
  /// The extension speaks none of the versions that the host offers.
  case unsupportedVersion = 4004
  /// There is no app to open.
  case applicationNotFound = 4010
  /// The person has not proved who they are; ``AuthenticationFailure`` says why.
  case authenticationFailed = 4011
  /// The person has to do something first, so that no extension acts on its own.
  case interactionRequired = 4012
  /// The same is being done already.
  case busy = 4013
  /// The session is over, or not at the point where this is possible.
  case notInSession = 4014
  /// There is no such asset among those that may be seen.
  case noSuchAsset = 4015
  /// The file is not one that can be taken.
  case invalidFile = 4016
  /// There is no room for it.
  case noSpace = 4017
  /// The app context is not the one that the sender believed to be stored; it is unchanged.
  case contextChanged = 4018
  /// The camera controls cannot be shown; those that were declared before stay.
  case invalidControls = 4019
  /// The session has no microphone, or the microphone has failed.
  case microphoneUnavailable = 4020
  /// The camera cannot be set like that, or has failed at it.
  case invalidSetting = 4021
}
