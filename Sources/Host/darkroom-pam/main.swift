// SPDX-License-Identifier: Apache-2.0

internal import CPAM
internal import Glibc
internal import LinuxPrimitives

// `darkroom-pam SERVICE [DIRECTORY]`: authenticates the user of this process with PAM. Standard input is a
// socket to the host; `PAMExchange` in UserAuthentication defines the messages.

let host = HostChannel(Descriptor(owning: 0))
let words = Array(CommandLine.arguments.dropFirst())
guard let service = words.first else {
  host.send("r", "4no PAM service was given")
  exit(64)
}
// Only the parent process needs the result. Without it, a module must not continue.
HelperHardening.dieWithParent()
host.report(PAMTransaction(host).run(service, words.count > 1 ? words[1] : nil))
