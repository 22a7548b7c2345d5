// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import ViewfinderLink

// `darkroom-window SOCKET`: shows the viewfinder of a session in a window of the compositor that listens at
// SOCKET. `darkroom-window lock SOCKET`: locks the screens of that compositor. Standard input is a socket to
// the host; `HostMessageKind` and `HelperMessageKind` in ViewfinderLink are the messages.

let words = Array(CommandLine.arguments.dropFirst())
let isLock = words.count == 2 && words[0] == "lock"
guard let socket = words.last, words.count == 1 || isLock, !CurrentProcess.isTerminal(0) else {
  try? Descriptor.write(
    Array("darkroom-window is started by darkroom run --preview window, and by darkroom lock screen\n".utf8),
    toNumber: 2
  )
  exit(64)
}
SignalDescriptor.reportFailedWrites()
let link = HostLink(Descriptor(owning: 0), acceptsLaterRings: isLock)
let deadline = MonotonicClock.now + 5_000_000_000
do throws(WaylandError) {
  if isLock {
    let show = try LockScreenDisplay(link, socket, until: deadline)
    link.reportReady()
    exit(show.run())
  }
  let window = try WaylandWindow(socket, title: WindowDisplay.title("starting"), until: deadline)
  link.reportReady()
  exit(WindowDisplay(link, window).run())
} catch {
  link.refuse(error.reason)
  exit(69)
}
