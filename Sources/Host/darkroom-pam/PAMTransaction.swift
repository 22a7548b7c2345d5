// SPDX-License-Identifier: Apache-2.0

internal import CPAM
internal import Glibc
internal import LinuxPrimitives

/// A PAM transaction (pam(3)): authentication and account validation.
struct PAMTransaction {
  /// The result of the transaction.
  struct Result {
    /// The code of the outcome: 0 success, 1 failure, 2 cancelled, 3 too many attempts, 4 undecided.
    var code: Int
    /// PAM's error text.
    var reason: String
  }

  private let host: HostChannel

  /// Creates a transaction whose prompts are sent to the host.
  init(_ host: HostChannel) { self.host = host }

  /// Authenticates the user of this process with a PAM service.
  func run(_ service: String, _ directory: String?) -> Result {
    guard let user = CurrentProcess.userName else {
      return Result(code: 4, reason: "the UID of this process has no user name")
    }
    var conversation = pam_conv(
      conv: converse,
      appdata_ptr: Unmanaged.passUnretained(host).toOpaque()
    )
    var handle: OpaquePointer?
    let startResult =
      directory.map { pam_start_confdir(service, user, &conversation, $0, &handle) }
      ?? pam_start(service, user, &conversation, &handle)
    guard startResult == PAM_SUCCESS, let handle else {
      return Result(code: 4, reason: "the PAM service \(service) cannot be started (error \(startResult))")
    }
    var code = pam_authenticate(handle, Int32(PAM_DISALLOW_NULL_AUTHTOK))
    if code == PAM_SUCCESS { code = pam_acct_mgmt(handle, Int32(PAM_DISALLOW_NULL_AUTHTOK)) }
    let reason = pam_strerror(handle, code).map { String(cString: $0) } ?? "\(code)"
    pam_end(handle, code)
    return Result(code: host.isDisconnected ? 2 : Self.digit(code), reason: reason)
  }

  /// Returns the outcome for a PAM return code. An expired account or password counts as a failure.
  private static func digit(_ code: Int32) -> Int {
    switch code {
    case PAM_SUCCESS: 0
    case PAM_AUTH_ERR, PAM_USER_UNKNOWN, PAM_PERM_DENIED, PAM_ACCT_EXPIRED, PAM_NEW_AUTHTOK_REQD,
      PAM_CRED_INSUFFICIENT, PAM_CRED_EXPIRED, PAM_AUTHTOK_EXPIRED:
      1
    case PAM_MAXTRIES: 3
    default: 4
    }
  }
}

/// The PAM conversation function. PAM takes ownership of the responses and frees them.
private let converse:
  @convention(c) (
    Int32, UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, UnsafeMutableRawPointer?
  ) -> Int32 = { count, messages, responses, pointer in
    guard let messages, let responses, let pointer, count > 0, count <= PAM_MAX_NUM_MSG,
      let answers = calloc(Int(count), MemoryLayout<pam_response>.size)?.assumingMemoryBound(
        to: pam_response.self
      )
    else { return PAM_CONV_ERR }
    let host = Unmanaged<HostChannel>.fromOpaque(pointer).takeUnretainedValue()
    for index in 0..<Int(count) {
      guard let message = messages[index]?.pointee else { continue }
      let text = message.msg.map { String(cString: $0) } ?? ""
      switch message.msg_style {
      case PAM_PROMPT_ECHO_OFF, PAM_PROMPT_ECHO_ON:
        host.send(message.msg_style == PAM_PROMPT_ECHO_OFF ? "h" : "s", text)
        answers[index].resp = host.answer()
        if host.isDisconnected {
          for written in 0..<index { SecretText.wipeAndFree(answers[written].resp) }
          free(answers)
          return PAM_CONV_ERR
        }
      default: host.send("t", text)
      }
    }
    responses.pointee = answers
    return PAM_SUCCESS
  }
