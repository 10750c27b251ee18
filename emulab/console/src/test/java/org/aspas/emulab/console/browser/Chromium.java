package org.aspas.emulab.console.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium with one tab, as a process of its own. */
final class Chromium implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://127\\.0\\.0\\.1:(\\d+)/.*");

    private final Process process;
    private final Path profile;
    private final DevTools tab;

    private Chromium(Process process, Path profile, DevTools tab) {
        this.process = process;
        this.profile = profile;
        this.tab = tab;
    }

    /** Starts it; fails with what to install when there is none. */
    static Chromium start() throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory("aspas-chromium");
        Process process = new ProcessBuilder(
                        program(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return new Chromium(process, profile, DevTools.connect(tabOf(port(process))));
        } catch (IOException | InterruptedException | RuntimeException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    private static String program() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "There is no Chromium on the path. On Debian: apt-get install -y chromium"));
    }

    /** The port that Chromium tells at its start; a thread goes on reading, so that it never waits for its reader. */
    private static int port(Process process) throws IOException {
        BufferedReader told = process.errorReader(StandardCharsets.UTF_8);
        StringBuilder before = new StringBuilder();
        for (String line = told.readLine(); line != null; line = told.readLine()) {
            Matcher found = LISTENING.matcher(line);
            if (found.matches()) {
                Thread drain = new Thread(() -> told.lines().forEach(ignored -> {}), "chromium-told");
                drain.setDaemon(true);
                drain.start();
                return Integer.parseInt(found.group(1));
            }
            before.append(line).append('\n');
        }
        throw new IOException("Chromium ended: " + before);
    }

    private static URI tabOf(int port) throws IOException, InterruptedException {
        HttpRequest list = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                .build();
        JsonNode tabs = JSON.readTree(
                HttpClient.newHttpClient().send(list, BodyHandlers.ofString()).body());
        for (JsonNode tab : tabs) {
            if (tab.path("type").asText().equals("page")) {
                return URI.create(tab.path("webSocketDebuggerUrl").asText());
            }
        }
        throw new IOException("Chromium has no tab: " + tabs);
    }

    static ObjectNode fields() {
        return JSON.createObjectNode();
    }

    DevTools tab() {
        return tab;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        tab.close();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted((one, other) -> other.compareTo(one))
                    .forEach(file -> file.toFile().delete());
        }
    }
}
