// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import JSONText
package import LinuxPrimitives

/// What the session's machine wants done; the driver does it.
package enum SessionAction: Sendable, Equatable {
  /// Send this.
  case send(HostMessage)
  /// Frames shall flow.
  case startCamera(FrameDelivery)
  /// Frames shall not flow; for an extension that reads them from standard input this is the end of them.
  case stopCamera
  /// Ask the camera what it can be set to, or to be set, and answer the request.
  case adjustCamera(CameraWish, RequestID)
  /// The camera was taken away: as ``stopCamera``, and what is in the ring is erased.
  case revokeCamera
  /// Sound shall flow.
  case startMicrophone(FrameDelivery)
  /// Sound shall not flow.
  case stopMicrophone
  /// The microphone was taken away: as ``stopMicrophone``, and what is in the ring is erased.
  case revokeMicrophone
  /// The extension listens: time begins for what the person does.
  case beginControl
  /// Answer this request with the app context.
  case readContext(RequestID)
  /// Store this as the app context and answer the request.
  case writeContext(JSONValue, ifStored: JSONValue?, RequestID)
  /// Find out whether the app can be opened.
  case checkApplication
  /// Ask the person who they are, for this.
  case authenticate(String)
  /// Ask them no more.
  case cancelAuthentication
  /// Write this down, so that the app is told of it when the content is there, whatever happens meanwhile.
  case noteDelivery(UserActivity)
  /// Erase what is in the session directory now and answer the request.
  case eraseContent(RequestID)
  /// Have the photo library answer the request.
  case askPhotos(PhotoRequest, RequestID)
  /// Tell the photo library what holds from now on.
  case announceCircumstances(LockState, Permissions)
  /// Play this, answer the request if there is one, and tell the machine if it is played.
  case playSound(SoundRequest, RequestID?)
  /// Send the extension this signal.
  case signal(Signal)
  /// End every process of the session now.
  case kill
  /// Tell whoever waits to debug the extension.
  case tell(DebuggerNews)
  /// What the driver itself has begun to count begins anew.
  case renewDeadlines
  /// Let files grow, or not.
  case turnGrowth(GrowthValve.State)
  /// Put this into the log.
  case log(LogLevel, String)
}
