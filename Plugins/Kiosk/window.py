# SPDX-License-Identifier: Apache-2.0
"""The window of the kiosk: a viewfinder, a shutter, a lock button, the captures and a status line."""

from gi.repository import Gdk, Gtk, Pango

MAXIMUM_CAPTURES = 40
ACTIVE = Gtk.StateFlags.ACTIVE
CENTER, END = Gtk.Align.CENTER, Gtk.Align.END
VERTICAL = Gtk.Orientation.VERTICAL

STYLE = """
window { background: #0b0d11; color: #e9edf3; font-size: 15px; }
.header { padding: 14px 20px 10px 20px; }
.title { font-weight: 600; font-size: 17px; }
.dot { min-width: 10px; min-height: 10px; border-radius: 5px; background: #6b7684; }
.dot.ready { background: #3ddc97; }
.dot.failed { background: #ff6b6b; }
.muted { color: #98a2b0; }
.key { font-size: 12px; font-weight: 600; background: #1b2027; border-radius: 6px; padding: 2px 8px; }
.frame { border-radius: 14px; background: #14181e; }
.status { font-size: 13px; color: #98a2b0; padding: 4px 20px; min-height: 36px; }
.status.refused { color: #ffb454; }
.footer { padding: 6px 20px 18px 20px; }
.capture { border-radius: 10px; background: #14181e; color: #98a2b0; font-size: 12px; }
.heading { font-weight: 600; font-size: 24px; }
.fix { font-family: monospace; font-size: 14px; background: #14181e; border-radius: 10px; padding: 12px 16px; }
button { transition: 120ms ease-out; text-shadow: none; }
button:focus-visible { outline: 2px solid #7ab8ff; outline-offset: 5px; }
button.shutter { min-width: 60px; min-height: 60px; padding: 0; margin: 4px; border: 5px solid #0b0d11;
  border-radius: 36px; background: #ffffff; box-shadow: 0 0 0 3px #ffffff; }
button.shutter:hover { background: #dfe5ee; }
button.shutter:active { background: #ff5a52; min-width: 52px; min-height: 52px; border-width: 9px; }
button.shutter:disabled { background: #39414c; box-shadow: 0 0 0 3px #39414c; }
button.pill { padding: 9px 18px; border: none; border-radius: 20px; box-shadow: none; background: #1b2027;
  color: #e9edf3; font-weight: 600; }
button.pill:hover, button.pill:active { background: #2a313b; }
button.pill.locked { background: #ffb454; color: #1b1305; }
"""


def label(text="", *classes, **properties):
    """Returns a label with CSS classes."""
    return Gtk.Label(label=text, css_classes=classes, **properties)


def box(spacing, *children, **properties):
    """Returns a box with its children."""
    parent = Gtk.Box(spacing=spacing, **properties)
    for child in children:
        parent.append(child)
    return parent


class Window(Gtk.ApplicationWindow):
    """The widgets, which do not depend on the service."""

    def __init__(self, application, press, release, toggle_lock, retry):
        """Shows the window. The functions are called when the user operates a button or its key."""
        super().__init__(application=application, title="Camera", default_width=960, default_height=720)
        self.press, self.release, self.toggle_lock = press, release, toggle_lock
        style = Gtk.CssProvider()
        style.load_from_data(STYLE.encode())
        Gtk.StyleContext.add_provider_for_display(self.get_display(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
        self.get_settings().props.gtk_application_prefer_dark_theme = True
        self.stack = Gtk.Stack(vexpand=True, transition_type=Gtk.StackTransitionType.CROSSFADE)
        self.stack.add_named(self.make_viewfinder(), "viewfinder")
        self.stack.add_named(self.make_message(retry), "message")
        self.status = label(wrap=True, lines=2, ellipsize=Pango.EllipsizeMode.END, justify=Gtk.Justification.CENTER)
        self.say("")
        self.set_child(box(0, self.make_header(), self.stack, self.status, self.make_footer(), orientation=VERTICAL))
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", self.on_key, True)
        keys.connect("key-released", self.on_key, False)
        self.add_controller(keys)
        # A window without the keyboard focus does not receive the release of a key.
        self.connect("notify::is-active", lambda *_: self.shutter.unset_state_flags(ACTIVE))
        self.present()

    def make_header(self):
        self.dot, self.name, self.state = Gtk.Box(valign=CENTER), label("Camera", "title"), label("", "muted")
        shutter, lock = label("Space", "key", valign=CENTER), label("L", "key", valign=CENTER)
        hints = box(10, shutter, label("Shutter", "muted"), lock, label("Lock", "muted"), hexpand=True, halign=END)
        return box(10, self.dot, self.name, self.state, hints, css_classes=["header"])

    def make_viewfinder(self):
        self.picture = Gtk.Picture(content_fit=Gtk.ContentFit.FILL, alternative_text="Viewfinder")
        self.picture.set_overflow(Gtk.Overflow.HIDDEN)
        self.picture.add_css_class("frame")
        self.frame = Gtk.AspectFrame(ratio=4 / 3, obey_child=False, child=self.picture, margin_start=20, margin_end=20)
        return self.frame

    def make_message(self, retry):
        self.heading, self.detail = label("", "heading"), label("", "muted")
        self.fix = label("", "fix", selectable=True)
        for part in (self.heading, self.detail, self.fix):
            part.props.wrap, part.props.justify, part.props.halign = True, Gtk.Justification.CENTER, CENTER
        self.retry = Gtk.Button(label="Try again", halign=CENTER, css_classes=["pill"])
        self.retry.connect("clicked", lambda _: retry())
        parts = (self.heading, self.detail, self.fix, self.retry)
        return box(16, *parts, orientation=VERTICAL, valign=CENTER, margin_start=20, margin_end=20)

    def make_footer(self):
        self.captures = Gtk.Box(spacing=8, accessible_role=Gtk.AccessibleRole.LIST)
        self.hidden = label("Captures are hidden", "muted", visible=False)
        scrolled = Gtk.ScrolledWindow(child=box(0, self.captures, self.hidden), hexpand=True, margin_end=20)
        scrolled.set_policy(Gtk.PolicyType.EXTERNAL, Gtk.PolicyType.NEVER)
        self.shutter = Gtk.Button(css_classes=["shutter"], tooltip_text="Take a picture", sensitive=False)
        self.shutter.update_property([Gtk.AccessibleProperty.LABEL], ["Shutter"])
        self.shutter.connect("state-flags-changed", self.on_flags)
        self.lock = Gtk.Button(label="Lock", css_classes=["pill"], valign=CENTER, halign=END)
        self.lock.connect("clicked", lambda _: self.toggle_lock())
        footer = Gtk.CenterBox(css_classes=["footer"])
        footer.set_start_widget(scrolled)
        footer.set_center_widget(self.shutter)
        footer.set_end_widget(self.lock)
        return footer

    def on_key(self, controller, key, code, modifiers, is_pressed):
        """Presses or releases the button of a key. Repeated presses of a held key change nothing."""
        button = {Gdk.KEY_space: self.shutter, Gdk.KEY_l: self.lock}.get(Gdk.keyval_to_lower(key))
        if not button or is_pressed and not button.get_sensitive():
            return False
        was_pressed = button.get_state_flags() & ACTIVE
        if is_pressed:
            button.set_state_flags(ACTIVE, False)
        else:
            button.unset_state_flags(ACTIVE)
            if was_pressed and button is self.lock:
                self.toggle_lock()
        return True

    def on_flags(self, shutter, before):
        """Reports that the shutter was pressed or released, by a pointer, a finger or a key."""
        is_pressed = bool(shutter.get_state_flags() & ACTIVE)
        if is_pressed != bool(before & ACTIVE):
            (self.press if is_pressed else self.release)()

    def show_frame(self, texture):
        """Shows a frame of the viewfinder."""
        self.frame.set_ratio(texture.get_width() / texture.get_height())
        self.picture.set_paintable(texture)
        self.stack.set_visible_child_name("viewfinder")

    def show_state(self, kind, text):
        """Shows the state of the session. The shutter can be pressed while the session is ready."""
        self.dot.set_css_classes(["dot", kind])
        self.state.set_label(text)
        self.shutter.set_sensitive(kind == "ready")

    def show_lock(self, is_locked):
        """Shows the lock state. A locked kiosk hides the captures of earlier users."""
        self.lock.set_label("Unlock" if is_locked else "Lock")
        self.lock.set_css_classes(["pill", "locked"] if is_locked else ["pill"])
        self.captures.set_visible(not is_locked)
        self.hidden.set_visible(is_locked)

    def say(self, text, *classes):
        """Shows a text in the status line."""
        self.status.set_css_classes(["status", *classes])
        self.status.set_label(text)
        self.status.set_tooltip_text(text)

    def fail(self, heading, detail, fix):
        """Shows an error and its fix instead of the viewfinder."""
        for part, text in ((self.heading, heading), (self.detail, detail), (self.fix, fix)):
            part.set_label(text)
        self.fix.set_visible(bool(fix))
        self.show_state("failed", "")
        self.stack.set_visible_child_name("message")
        self.retry.grab_focus()

    def add_capture(self, session, name, texture):
        """Adds a file to the captures, the newest first."""
        if texture:
            tile = Gtk.Picture(paintable=texture, content_fit=Gtk.ContentFit.COVER, alternative_text=name)
        else:
            tile = label(name.rpartition(".")[2][:4].upper())
        tile.set_size_request(80, 60)
        tile.set_overflow(Gtk.Overflow.HIDDEN)
        tile.add_css_class("capture")
        tile.set_tooltip_text(name)
        tile.session = session
        self.captures.prepend(tile)
        if len(list(self.captures)) > MAXIMUM_CAPTURES:
            self.captures.remove(self.captures.get_last_child())

    def remove_captures(self, session=None):
        """Removes the files of a session, or all files."""
        for tile in list(self.captures):
            if session in (None, tile.session):
                self.captures.remove(tile)
