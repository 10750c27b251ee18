package org.aspas.emulab.console.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One tab of a browser, driven by the Chrome DevTools Protocol. */
final class DevTools implements WebSocket.Listener, AutoCloseable {
    private static final int SECONDS = 60;

    private final AtomicInteger last = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final StringBuilder part = new StringBuilder();
    private final WebSocket socket;

    private DevTools(URI address) {
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address, this)
                .join();
    }

    static DevTools connect(URI address) {
        DevTools made = new DevTools(address);
        List.of("Page.enable", "Runtime.enable", "Log.enable").forEach(name -> made.call(name, Chromium.fields()));
        return made;
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean whole) {
        part.append(text);
        if (whole) {
            String message = part.toString();
            part.setLength(0);
            try {
                take(Chromium.JSON.readTree(message));
            } catch (JsonProcessingException broken) {
                complaints.add("The browser sent no JSON: " + broken.getMessage());
            }
        }
        from.request(1);
        return CompletableFuture.completedStage(null);
    }

    private void take(JsonNode message) {
        CompletableFuture<JsonNode> waiting = open.remove(message.path("id").asInt());
        if (waiting != null) {
            waiting.complete(message);
        } else if (message.path("method").asText().equals("Runtime.exceptionThrown")) {
            complaints.add(message.at("/params/exceptionDetails").toString());
        } else if (message.at("/params/entry/level").asText().equals("error")) {
            complaints.add(message.at("/params/entry").toString());
        }
    }

    /** What the browser complained of: exceptions, and errors such as a violated content security policy. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    JsonNode call(String method, ObjectNode parameters) {
        int id = last.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        open.put(id, answer);
        ObjectNode call = Chromium.fields().put("id", id).put("method", method);
        call.set("params", parameters);
        socket.sendText(call.toString(), true).join();
        JsonNode got = answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
        if (got.has("error")) {
            throw new IllegalStateException(method + ": " + got.get("error"));
        }
        return got.path("result");
    }

    /** The value of an expression in the page. */
    JsonNode evaluate(String expression) {
        JsonNode got = call(
                "Runtime.evaluate",
                Chromium.fields()
                        .put("expression", expression)
                        .put("awaitPromise", true)
                        .put("returnByValue", true)
                        .put("userGesture", true));
        if (got.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + got.get("exceptionDetails"));
        }
        return got.at("/result/value");
    }

    void open(URI address) {
        call("Page.navigate", Chromium.fields().put("url", address.toString()));
    }

    /** Presses and releases a key, as a keyboard does. */
    void key(String name, int code) {
        for (String type : List.of("rawKeyDown", "keyUp")) {
            call(
                    "Input.dispatchKeyEvent",
                    Chromium.fields()
                            .put("type", type)
                            .put("key", name)
                            .put("code", name)
                            .put("windowsVirtualKeyCode", code));
        }
    }

    void size(int width, int height, boolean phone) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Chromium.fields()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", phone));
    }

    void prefers(String scheme) {
        ObjectNode media = Chromium.fields();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", scheme);
        call("Emulation.setEmulatedMedia", media);
    }

    void screenshot(Path file) throws IOException {
        JsonNode got = call("Page.captureScreenshot", Chromium.fields().put("format", "png"));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(got.path("data").asText()));
    }

    @Override
    public void close() {
        socket.abort();
    }
}
