"""A page in headless Chromium: what it shows, what it says on its console, and keys that are pressed in it."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SECONDS = 60  # no answer of the browser may take longer


class Browser:
    """Speaks the DevTools protocol over two pipes: messages are JSON, each followed by a byte 0."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="kasen-browser-", ignore_cleanup_errors=True)
        theirs_in, self.to = os.pipe()
        self.back, theirs_out = os.pipe()
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(["/bin/sh", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "sh", *command],
                                        pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.read, self.sent, self.session, self.complaints = b"", 0, None, []
        os.set_blocking(self.back, False)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.size(1280, 1000)

    def close(self):
        os.close(self.to)
        os.close(self.back)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def next_message(self):
        end = time.monotonic() + SECONDS
        while b"\0" not in self.read:
            try:
                part = os.read(self.back, 1 << 20)
                if not part:
                    raise RuntimeError("the browser has ended")
                self.read += part
            except BlockingIOError:
                if time.monotonic() > end:
                    raise TimeoutError("the browser does not answer") from None
                time.sleep(0.005)
        message, self.read = self.read.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        """What no page of ours may do: errors, warnings, and asking for anything but itself."""
        method, about = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(str(about["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.complaints.append(str(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(str(about["entry"]))
        elif method == "Network.requestWillBeSent" and not about["request"]["url"].startswith("file:"):
            self.complaints.append("asks for " + about["request"]["url"])

    def call(self, method, **parameters):
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        while True:
            answer = self.next_message()
            if answer.get("id") != self.sent:
                self.note(answer)
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            return answer["result"]

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def colors(self, scheme):
        """`scheme` is light or dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path):
        self.complaints = []
        self.call("Page.navigate", url=pathlib.Path(path).absolute().as_uri())
        end = time.monotonic() + SECONDS
        while self.value("document.readyState") != "complete":
            if time.monotonic() > end:
                raise TimeoutError(f"{path}: is not loaded")
            time.sleep(0.01)

    def value(self, expression):
        """The value of an expression of JavaScript in the page, as JSON can say it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key):
        codes = {"Tab": 9, "Enter": 13, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key],
                      **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))

    def screenshot(self, path, scale=1):
        """A picture of the whole page, as PNG."""
        height = self.value("document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": 1280, "height": min(height, 12000), "scale": scale}
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(picture))
