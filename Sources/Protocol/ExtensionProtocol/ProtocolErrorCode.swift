// SPDX-License-Identifier: Apache-2.0

/// The codes of errors in replies: those of JSON-RPC 2.0, and those of this protocol.
package enum ProtocolErrorCode: Int, CaseIterable, Sendable {
  /// The line is not JSON.
  case parseError = -32700
  /// The line is JSON, but not a message.
  case invalidRequest = -32600
  /// The negotiated version does not have the method.
  case methodNotFound = -32601
  /// A parameter is missing or invalid.
  case invalidParams = -32602
  /// The host failed; the message contains the reason.
  case internalError = -32603
  /// The app context is too large; the stored one is unchanged.
  case contextTooLarge = 4001
  /// The session has no camera, or the camera has failed.
  case cameraUnavailable = 4002
  /// The app or the user has not granted the permission.
  case permissionDenied = 4003
  /// The extension supports none of the versions that the host offers.
  case unsupportedVersion = 4004
  /// The app to open does not exist.
  case applicationNotFound = 4010
  /// The user was not authenticated; ``AuthenticationFailure`` has the reason.
  case authenticationFailed = 4011
  /// The request requires an action of the user first, so that extensions do not act on their own.
  case interactionRequired = 4012
  /// The same operation is already in progress.
  case busy = 4013
  /// The session has ended, or the request is not possible in its current state.
  case notInSession = 4014
  /// The asset does not exist, or the extension may not read it.
  case noSuchAsset = 4015
  /// The photo library does not accept the file.
  case invalidFile = 4016
  /// There is not enough space.
  case noSpace = 4017
  /// The stored app context differs from the expected one; it is unchanged.
  case contextChanged = 4018
  /// The camera controls are invalid; those declared before stay.
  case invalidControls = 4019
  /// The session has no microphone, or the microphone has failed.
  case microphoneUnavailable = 4020
  /// The camera does not support the value, or has failed to set it.
  case invalidSetting = 4021
}
