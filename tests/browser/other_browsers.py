"""WebKit and Firefox, driven by what they bring along: WebDriver over HTTP, and WebDriver BiDi.

Both know the few things that the walk of `test_other_browsers.py` needs: open a page, call a function in it, tap, type.
"""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Protocol

WEBKIT = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
MINIBROWSERS = "/usr/lib/*/webkit2gtk-*/MiniBrowser"
WIDTH, HEIGHT = 390, 760
PATIENCE = 120.0
SILENT: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Browser(Protocol):
    """One page of a browser."""

    def go(self, address: str) -> None:
        """Opens an address, and returns when its page is there."""

    def call(self, function: str, *arguments: Any) -> Any:
        """What a function of JavaScript returns in the page; a promise is awaited."""

    def press(self, x: float, y: float) -> None:
        """A tap on a point of the window, in CSS pixels."""


class Refused(Exception):
    """The browser could not do it; the message says why."""


class WebKit:
    """WebKitGTK through its WebDriver, on a display of its own."""

    def __init__(self, port: int) -> None:
        self._port, self._session = port, ""
        options = {"binary": str(minibrowser()), "args": ["--automation", f"--geometry={WIDTH}x{HEIGHT}"]}
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = self._ask("POST", "", {"capabilities": capabilities})["sessionId"]
        self._ask("POST", "/window/rect", {"width": WIDTH, "height": HEIGHT})
        self._ask("POST", "/timeouts", {"script": int(PATIENCE * 1000), "pageLoad": int(PATIENCE * 1000)})

    def go(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def call(self, function: str, *arguments: Any) -> Any:
        script = (
            "const done = arguments[arguments.length - 1];"
            f"Promise.resolve().then(() => ({function})(...[...arguments].slice(0, -1)))"
            ".then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));"
        )
        answer = self._ask("POST", "/execute/async", {"script": script, "args": list(arguments)})
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["value"]

    def press(self, x: float, y: float) -> None:
        self._ask("POST", "/actions", {"actions": [tap_at(x, y)]})

    def close(self) -> None:
        self._ask("DELETE", "")

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE + 30)
        where = f"/session/{self._session}{path}" if self._session else "/session"
        connection.request(method, where, json.dumps(body) if body is not None else None)
        answer = connection.getresponse()
        value = json.loads(answer.read())["value"]
        connection.close()
        if answer.status != 200:
            raise Refused(f"{value['error']}: {value['message']}")
        return value


class Firefox:
    """Firefox through WebDriver BiDi, which it speaks itself."""

    def __init__(self, port: int) -> None:
        self._socket, self._count = WebSocket(port, "/session"), 0
        self._ask("session.new", capabilities={})
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self._ask("browsingContext.setViewport", context=self._page, viewport={"width": WIDTH, "height": HEIGHT})

    def go(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def call(self, function: str, *arguments: Any) -> Any:
        answer = self._ask(
            "script.callFunction",
            functionDeclaration=f"async (text) => JSON.stringify(await ({function})(...JSON.parse(text)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            target={"context": self._page},
            awaitPromise=True,
        )
        if answer["type"] != "success":
            raise Refused(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def press(self, x: float, y: float) -> None:
        self._ask("input.performActions", context=self._page, actions=[tap_at(x, y)])

    def close(self) -> None:
        self._ask("browser.close")
        self._socket.close()

    def _ask(self, method: str, **parameters: Any) -> Any:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.receive())
            if answer.get("id") == self._count:
                break
        if answer["type"] != "success":
            raise Refused(f"{answer['error']}: {answer['message']}")
        return answer["result"]


def tap_at(x: float, y: float) -> dict[str, Any]:
    """What both protocols call a click of a mouse at a point."""
    return {
        "type": "pointer", "id": "finger", "parameters": {"pointerType": "mouse"},
        "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ],
    }  # fmt: skip


class WebSocket:
    """A connection of RFC 6455 to this machine, for texts."""

    def __init__(self, port: int, path: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE + 30)
        self._file = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        status = self._file.readline()
        while self._file.readline().strip():
            pass
        if b" 101 " not in status:
            raise Refused(status.decode())

    def send(self, text: str) -> None:
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        if size < 126:
            head = struct.pack("!BB", 0x81, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, size)
        self._socket.sendall(head + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(data)))

    def receive(self) -> str:
        """The next text; skips pings and other control frames."""
        text = b""
        while True:
            first, size = self._file.read(2)
            size &= 0x7F
            if size > 125:
                size = int.from_bytes(self._file.read(2 if size == 126 else 8))
            data = self._file.read(size)
            if first & 0x0F in (0, 1):
                text += data
                if first & 0x80:
                    return text.decode()

    def close(self) -> None:
        self._socket.close()


def minibrowser() -> Path | None:
    """WebKit's own small browser, which its driver drives; the newest."""
    return max(Path("/").glob(MINIBROWSERS.lstrip("/")), default=None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until_it_answers(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while not answers(port):
        assert process.poll() is None, "it ended at once"
        assert time.monotonic() < until
        time.sleep(0.1)


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """A WebKit that keeps its data in that folder."""
    read, write = os.pipe()
    display = subprocess.Popen(
        [str(WEBKIT[1]), "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"],
        pass_fds=(write,), **SILENT,
    )  # fmt: skip
    os.close(write)
    with ended(display), os.fdopen(read) as number:
        port, name = free_port(), f":{number.readline().strip()}"
        homes = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
        environment = {**os.environ, **homes, "DISPLAY": name, "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        environment |= {"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "GDK_BACKEND": "x11"}
        # The optimizing compilers take longer than what they speed up, as in Chromium.
        environment |= {"JSC_useOMGJIT": "0", "JSC_useFTLJIT": "0"}
        driver = subprocess.Popen([str(WEBKIT[0]), f"--port={port}"], env=environment, **SILENT)
        with ended(driver):
            until_it_answers(port, driver)
            with closing(WebKit(port)) as browser:
                yield browser


PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "extensions.update.enabled": False,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.startup.max_resumed_crashes": -1,
    "javascript.options.wasm_optimizingjit": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "browser.newtab.preload": False,
}
"""Firefox asks nobody but the server of the test; its optimizing compiler takes longer than what it speeds up."""


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A Firefox that keeps its data in that folder."""
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items())
    (folder / "user.js").write_text("\n".join(lines))
    port = free_port()
    command = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(folder), f"--remote-debugging-port={port}"]
    process = subprocess.Popen(command, env={**os.environ, "HOME": str(folder)}, **SILENT)
    with ended(process):
        until_it_answers(port, process)
        with closing(Firefox(port)) as browser:
            yield browser


class Running:
    """A browser of each kind, started when a test first asks for it and then kept for the tests after that.

    Each test has a server of its own, and with it an origin: it sees no store and no worker of another test.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._started = folder, 0
        self._browsers: dict[str, tuple[ExitStack, Browser]] = {}

    def get(self, name: str) -> Browser:
        """The browser with an empty page, or a new one where that one does not answer any more."""
        if name in self._browsers:
            end, browser = self._browsers.pop(name)
            with suppress(Exception):  # a browser that is broken in any way is replaced
                browser.go("about:blank")
                self._browsers[name] = end, browser
                return browser
            _close(end)
        self._started += 1
        home = self._folder / f"{name}{self._started}"
        home.mkdir()
        end = ExitStack()
        browser = end.enter_context({"webkit": webkit, "firefox": firefox}[name](home))
        self._browsers[name] = end, browser
        return browser

    def close(self) -> None:
        for end, _browser in self._browsers.values():
            _close(end)


def _close(end: ExitStack) -> None:
    """Ends a browser, which may be gone before it answers."""
    with suppress(Exception):
        end.close()


def why_not(name: str) -> str:
    """Why this browser cannot be driven here; "" if it can."""
    if name == "firefox":
        return "" if FIREFOX else "no Firefox here (Debian: firefox-esr)"
    if not all(WEBKIT) or not minibrowser():
        return "no WebKit here (Debian: webkit2gtk-driver and xvfb)"
    return ""
