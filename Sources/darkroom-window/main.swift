// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import ViewfinderLink

// `darkroom-window SOCKET`: shows the viewfinder of a session in a window of the compositor that listens at SOCKET. Its
// standard input is a socket to the host; WindowViewfinder in CaptureHost has the messages.

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 1, !CurrentProcess.isTerminal(0) else {
  try? Descriptor.write(
    Array("darkroom-window is started by darkroom run --preview window\n".utf8),
    toNumber: 2
  )
  exit(64)
}
SignalDescriptor.ignoreBrokenPipes()
let link = HostLink(Descriptor(owning: 0))
let deadline = MonotonicClock.now + 5_000_000_000
do throws(WaylandFault) {
  let window = try WaylandWindow(words[0], title: WindowShow.title("starting"), until: deadline)
  link.ready()
  exit(WindowShow(link, window).run())
} catch {
  link.refuse(error.reason)
  exit(69)
}
