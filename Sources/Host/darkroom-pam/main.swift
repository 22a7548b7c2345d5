// SPDX-License-Identifier: Apache-2.0

internal import CPAM
internal import Glibc
internal import LinuxPrimitives

// `darkroom-pam SERVICE [DIRECTORY]`: asks PAM whether the person who runs this process is that person. Its standard
// input is a socket to the host; PAMExchange in PersonAuthentication has the messages.

let host = HostChannel(Descriptor(owning: 0))
let words = Array(CommandLine.arguments.dropFirst())
guard let service = words.first else {
  host.send("r", "4no service was named")
  exit(64)
}
// Whoever waits for the result is the parent; without it nobody needs one, and a module must not go on alone.
HelperLife.endWithParent()
host.report(PAMTransaction(host).run(service, words.count > 1 ? words[1] : nil))
